"""Saving a game as a file, and opening the file again."""

import json
from pathlib import Path

import pytest
from lostcities.variants.registry import VARIANTS
from playwright.sync_api import expect

from tests.browser.conftest import OpenScreen, Watched
from tests.browser.positions import finished, link_of
from tests.browser.screen import Screen
from tests.client import create_game
from tests.server.serving import Service


def save(table: Screen, folder: Path) -> Path:
    table.page.get_by_text("Table and settings").click()
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name="Save game").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def open_file(table: Screen, file: Path) -> None:
    table.open()
    table.unfold("duel")
    with table.page.expect_file_chooser() as chooser:
        table.page.get_by_role("button", name="Open a saved game").click()
    chooser.value.set_files(file)


def test_an_unfinished_game_is_saved_and_played_on(screen: OpenScreen, tmp_path: Path) -> None:
    first, second = screen(), screen()
    first.set_up("duel", ("here", "greedy"), {"Max turns": "2"})
    first.do(first.page.locator(".moves .spot").first)
    file = save(first, tmp_path)
    assert json.loads(file.read_text())["seed"] is None
    open_file(second, file)
    second.wait_for_version(first.version)
    assert second.version == first.version
    assert second.page.url != first.page.url
    expect(second.board).to_contain_text("Adventurer bot")
    while not second.is_over:
        second.do(second.page.locator(".moves .spot").first)
    # The new seed explains what came after the file was opened.
    expect(second.page.locator(".checks .good")).to_have_count(2)
    expect(second.page.locator(".checks .unchecked")).to_contain_text("2 earlier deals")
    second.page.get_by_label("To the start").click()
    expect(second.page.locator(".caption")).to_contain_text(f"0 of {second.version}")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_finished_game_is_saved_and_stepped_through(
    screen: OpenScreen, service: Service, tmp_path: Path, variant: str
) -> None:
    game = finished(service, variant)
    table = screen()
    table.open_finished(game.id)
    winner = table.page.locator(".winner").inner_text()
    file = save(table, tmp_path)
    open_file(table, file)
    expect(table.page.locator(".winner")).to_have_text(winner)
    assert game.id not in table.page.url
    expect(table.page.locator(".checks .bad")).to_have_count(0)
    table.page.get_by_label("Event", exact=True).fill("3")
    expect(table.page.locator(".events [aria-current]")).to_have_attribute("value", "3")


def test_only_the_host_saves_an_unfinished_game(screen: OpenScreen, service: Service) -> None:
    """The record of a game contains every hand."""
    table = screen()
    game = create_game(service.client)
    for link in (link_of(game, 0), f"/#game={game.id}"):
        table.open(link)
        expect(table.page.get_by_role("button", name="Rules")).to_be_visible()
        table.page.get_by_text("Table and settings").click()
        assert table.page.get_by_role("button", name="Save game").count() == 0


def test_a_file_that_is_no_game_is_refused(
    screen: OpenScreen, service: Service, watched: Watched, tmp_path: Path
) -> None:
    watched.expected = ("422",)
    table = screen()
    file = tmp_path / "notes.json"
    file.write_text("Ann wins")
    open_file(table, file)
    expect(table.refusal).to_contain_text("This file is not a saved game.")
    game = finished(service, "duel")
    record = game.get("/record").body
    record["events"][2]["notation"] = "draw deck"
    answer = service.client.post("/games", {"record": record})
    assert answer.status == 422
    file.write_text(json.dumps(record))
    open_file(table, file)
    expect(table.refusal).to_contain_text("This file is not a game that can be opened: event 3 is not possible")
    assert table.refusal.locator("p").count() == 1
    expect(table.page.locator(".seat").first).to_be_visible()
