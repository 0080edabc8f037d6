"""English words on a page that is shown to a German player."""

import re

from playwright.sync_api import Page

ENGLISH = re.compile(
    r"\b(the|of|and|is|are|to|with|not|has|must|may|this|only|no|for|from|You|your|you|points?|cards?|tiles?|dice|colour|"
    r"Rules|Score|History|Hint|Play|play|Draw|draw|Take|take|against|yellow|blue|white|green|red|purple)\b"
)
"""Words of English sentences that no German one has."""

_SHOWN = """(part) => {
  const root = document.querySelector(part);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const each of root.querySelectorAll('[aria-label]')) texts.push(each.ariaLabel);
  return texts;
}"""
"""What a page says, with what only a screen reader reads and what is folded."""


def english_on(page: Page, part: str = "main") -> list[str]:
    return [text for text in page.evaluate(_SHOWN, part) if ENGLISH.search(text)]
