// German. The words of the games are those of the German rulebooks.

export default {
  // The end of a game
  "Checking every deal, draw and roll…": "Alle Karten und Würfe werden geprüft …",
  "Was chance fair?": "War der Zufall fair?",
  "Chance could not be checked: {reason}": "Der Zufall konnte nicht geprüft werden: {reason}",
  "Play again, seats swapped": "Noch einmal, mit getauschten Plätzen",
  "The host gave the cards and dice: there is nothing to check.":
    "Karten und Würfe kamen vom Gastgeber: Hier gibt es nichts zu prüfen.",
  "This page checks {ours}, not {algorithm}.": "Diese Seite prüft {ours}, nicht {algorithm}.",
  "Browsers allow this check only over HTTPS.": "Browser erlauben diese Prüfung nur über HTTPS.",
  "Before the first move the service chose a secret number (the seed), from which all cards and dice follow, and published its fingerprint (the commitment). Now the number is public, and your browser checks that everything follows from it.":
    "Vor dem ersten Zug hat der Dienst eine Geheimzahl gewählt (den Startwert), aus der sich alle Karten und Würfe ergeben, und ihren Fingerabdruck veröffentlicht (die Festlegung). Jetzt ist die Zahl öffentlich, und dein Browser prüft, ob sich alles aus ihr ergibt.",
  "Link copied": "Link kopiert",
  "Share this game": "Diese Partie teilen",
  "No winner": "Niemand gewinnt",
  "{name} wins": "{name} gewinnt",
  "{names} share the win": "{names} gewinnen gemeinsam",
  "The game ended because {reason}.": "Warum die Partie zu Ende ist: {reason}.",
  "The secret number matches the fingerprint published before the first move.":
    "Die Geheimzahl passt zum Fingerabdruck, der vor dem ersten Zug veröffentlicht wurde.",
  "The secret number does not match the fingerprint published before the first move.":
    "Die Geheimzahl passt nicht zum Fingerabdruck, der vor dem ersten Zug veröffentlicht wurde.",
  "{count} earlier deals, draws and rolls come from a saved game without its secret number.":
    "{count} frühere Karten und Würfe stammen aus einer gespeicherten Partie ohne Geheimzahl.",
  "This page cannot check chance in this game.": "Diese Seite kann den Zufall in diesem Spiel nicht prüfen.",
  "Event {version} is missing in the history.": "Im Verlauf fehlt Ereignis {version}.",
  "Event {version} is “{notation}”, but the secret number gives “{due}”.":
    "Ereignis {version} ist „{notation}“, aber die Geheimzahl ergibt „{due}“.",
  "All {count} deals, draws and rolls follow from the secret number.":
    "Alle {count} Karten und Würfe ergeben sich aus der Geheimzahl.",

  // The rules
  "Rules": "Regeln",
  "Close": "Schließen",
  "Every ruling in detail": "Alle Regeln im Einzelnen",
  "Players": "Spieler",
  "{min} players.": "{min} Spieler.",
  "{min} to {max} players.": "{min} bis {max} Spieler.",
  "What you can do": "Was du tun kannst",
  "The game ends when": "Die Partie endet, wenn",

  // Settings
  "slow": "langsam",
  "normal": "normal",
  "fast": "schnell",
  "no movement": "ohne Bewegung",
  "Moves of the others": "Züge der anderen",

  // The review
  "Review the game": "Partie auswerten",
  "Progress of the review": "Fortschritt der Auswertung",
  "Review": "Auswertung",
  "Stop": "Anhalten",
  "The expert judges the moves only for those who have played the game.":
    "Der Experte beurteilt die Züge nur für die, die mitgespielt haben.",
  "Score over the game: {label}": "Punkte im Verlauf der Partie: {label}",
  "Dots: the lead that the expert expected after a move.":
    "Punkte im Bild: der Vorsprung, den der Experte nach einem Zug erwartet hat.",
  "{name}: “{made}” cost {cost} ± {error} points; the expert would have chosen “{best}”.":
    "{name}: „{made}“ hat {cost} ± {error} Punkte gekostet; der Experte hätte „{best}“ gewählt.",
  "The costliest mistakes": "Die teuersten Fehler",

  // Saved games
  "Save game": "Partie speichern",
  "Open a saved game": "Gespeicherte Partie öffnen",
  "This file is not a saved game.": "Diese Datei ist keine gespeicherte Partie.",
  "This file is not a game that can be opened: event {version} is not possible ({reason}).":
    "Diese Partie lässt sich nicht öffnen: Ereignis {version} ist nicht möglich ({reason}).",

  // Stepping through a game
  "Event": "Ereignis",
  "Play the game": "Partie abspielen",
  "To the start": "Zum Anfang",
  "One event back": "Ein Ereignis zurück",
  "One event forward": "Ein Ereignis vor",
  "To the end": "Zum Ende",
  "Step through the game": "Durch die Partie gehen",
  "Pause": "Anhalten",
  "{version} of {last}: {event}": "{version} von {last}: {event}",
  "the start": "der Anfang",

  // The first screen
  "no limit": "keine Grenze",
  "This is not valid JSON.": "Das ist kein gültiges JSON.",
  "plays here": "spielt hier",
  "gets a link": "bekommt einen Link",
  "Lost Cities: the table": "Lost Cities: der Spieltisch",
  "Game": "Spiel",
  "Seed": "Startwert",
  "The number from which all cards and dice follow: 64 hexadecimal digits. The same seed gives the same game. Leave it empty for a random game.":
    "Die Zahl, aus der sich alle Karten und Würfe ergeben: 64 hexadezimale Ziffern. Derselbe Startwert ergibt dieselbe Partie. Ohne Eingabe ist die Partie zufällig.",
  "API key": "API-Schlüssel",
  "Needed only if the service requires one.": "Nur nötig, wenn der Dienst einen verlangt.",
  "Options": "Optionen",
  "Start": "Los",
  "Other players, options, a saved game": "Andere Spieler, Optionen, gespeicherte Partie",
  "Which journey do you begin?": "Zu welcher Reise brichst du auf?",
  "{min} players": "{min} Spieler",
  "{min} to {max} players": "{min} bis {max} Spieler",
  "Play {game} against the bot": "{game} gegen den Bot spielen",
  "Play against the bot": "Gegen den Bot spielen",
  "{level} bot": "Bot: {level}",
  "Name of player {number}": "Name von Spieler {number}",
  "Player {number}": "Spieler {number}",
  "How player {number} plays": "Wie Spieler {number} spielt",
  "How many": "Wie viele",
  "Bots": "Bots",
  "The service checks every move, and this page uses only its public interface:":
    "Der Dienst prüft jeden Zug, und diese Seite nutzt nur seine öffentliche Schnittstelle:",
  "The API": "Die API",
  "Games of this browser": "Partien dieses Browsers",

  "1 minute": "1 Minute",
  "5 minutes": "5 Minuten",
  "1 hour": "1 Stunde",
  "1 day": "1 Tag",
  "3 days": "3 Tage",
  "Time for a turn": "Bedenkzeit",
  "How long a player may think. Bots need none.":
    "Wie lange ein Spieler für einen Zug überlegen darf. Bots brauchen das nicht.",
  "When it is up": "Wenn sie um ist",
  "It happens when another player or the host claims it.":
    "Das gilt, sobald ein anderer Spieler oder der Gastgeber es beansprucht.",
  "the player has resigned": "hat der Spieler aufgegeben",
  "a bot plays on": "spielt ein Bot weiter",

  // People at the table
  "Resign": "Aufgeben",
  "Take back": "Zurücknehmen",
  "Change who plays": "Spieler wechseln",
  "Hand the seat over": "Platz übergeben",
  "Who plays": "Wer spielt",
  "Who plays for {name} from now on?": "Wer spielt ab jetzt für {name}?",
  "Links to this seat that were sent before stop working.":
    "Links zu diesem Platz, die schon verschickt sind, gelten dann nicht mehr.",
  "Name": "Name",
  "a person at this device": "eine Person an diesem Gerät",
  "a person with a new link": "eine Person mit einem neuen Link",
  "has resigned": "hat aufgegeben",
  "plays at another device": "spielt an einem anderen Gerät",
  "plays with a link": "spielt mit einem Link",
  "Let the others choose in clockwise order": "Die anderen sollen der Reihe nach wählen",
  "This link is not valid any more: the seat was handed over.": "Dieser Link gilt nicht mehr: Der Platz hat gewechselt.",
  "Watch the game": "Der Partie zusehen",
  "{name} resigns?": "Gibt {name} auf?",
  "{other} wins at once, whatever the points.": "{other} gewinnt sofort, egal wie die Punkte stehen.",
  "A bot plays the seat to the end, and it cannot win any more.":
    "Ein Bot spielt den Platz zu Ende, und er kann nicht mehr gewinnen.",
  "Time is up: claim the win": "Zeit ist um: Sieg beanspruchen",
  "Time is up: let a bot play on": "Zeit ist um: Bot weiterspielen lassen",
  "The seat of {name} was handed over. This device does not play it any more.":
    "Der Platz von {name} wurde übergeben. Dieses Gerät spielt ihn nicht mehr.",
  "The service does not answer. What you did is sent again until it does.":
    "Der Dienst antwortet nicht. Was du getan hast, wird noch einmal gesendet, bis er antwortet.",
  "You resigned": "Du hast aufgegeben",
  "{name} resigned": "{name} hat aufgegeben",
  "You took back your move": "Du hast deinen Zug zurückgenommen",
  "{name} took back a move": "{name} hat einen Zug zurückgenommen",
  "Your time was up": "Deine Zeit war um",
  "The time of {name} was up": "Die Zeit von {name} war um",
  "You asked for clockwise order": "Du willst, dass der Reihe nach gewählt wird",
  "{name} asked for clockwise order": "{name} will, dass der Reihe nach gewählt wird",
  "A bot ({operand}) plays for {name} from now on": "Ab jetzt spielt ein Bot ({operand}) für {name}",
  "{operand} plays this seat from now on": "Ab jetzt spielt {operand} diesen Platz",
  "{days} d {hours} h": "{days} T. {hours} Std.",

  // Words
  "a hidden card": "eine verdeckte Karte",
  "{count} hidden cards": "{count} verdeckte Karten",
  "{colour} wager": "Wettkarte {colour}",
  "{colour} {number} wager side": "{colour} {number} mit Wettsymbol",
  "a wager": "ein Wettsymbol",
  "1 point": "1 Punkt",
  "{points} points": "{points} Punkte",
  "nobody": "niemand",
  "{first} and {last}": "{first} und {last}",
  "{first} or {last}": "{first} oder {last}",

  // The table
  "Your turn": "Dein Zug",
  "Game information": "Zur Partie",
  "Score": "Wertung",
  "Legal moves": "Mögliche Züge",
  "History": "Verlauf",
  "Links to send": "Links zum Verschicken",
  "Table and settings": "Tisch und Einstellungen",
  "live": "verbunden",
  "reconnecting…": "verbindet neu …",
  "offline, trying again…": "offline, neuer Versuch …",
  "chance": "der Zufall",
  "The game is over": "Die Partie ist zu Ende",
  "{names} to act": "Am Zug: {names}",
  "Your turn, {name}": "Du bist am Zug, {name}",
  "Choose a move: {types}": "Wähle einen Zug: {types}",
  "Next for {names}: {prompt}": "Als Nächstes für {names}: {prompt}",
  "You have no moves now.": "Du hast jetzt keinen Zug.",
  "History, newest first": "Verlauf, das Neueste zuerst",
  "For {name} alone": "Nur für {name}",
  "For spectators": "Für Zuschauer",
  "Copied": "Kopiert",
  "Copy the link: {title}": "Link kopieren: {title}",
  "Copy": "Kopieren",
  "The service does not answer. Try again in a moment.":
    "Der Dienst antwortet nicht. Versuche es gleich noch einmal.",
  "{card}, just drawn": "{card}, gerade gezogen",
  "{colour}: {cards}": "{colour}: {cards}",
  "nothing yet": "noch nichts",
  "you": "du",
  "to act": "am Zug",
  "Nothing can be done here now.": "Hier ist jetzt nichts zu tun.",
  "Take a choice back": "Eine Auswahl zurücknehmen",
  "Keyboard": "Tastatur",
  "Tab and Enter reach everything too.": "Auch mit Tab und Enter ist alles erreichbar.",
  "Use these keys": "Diese Tasten verwenden",
  "This game does not exist.": "Diese Partie gibt es nicht.",
  "Create a new one": "Eine neue beginnen",
  "The service does not answer. Your move is sent again until it does.":
    "Der Dienst antwortet nicht. Dein Zug wird wieder gesendet, bis er antwortet.",
  "The game is over.": "Die Partie ist zu Ende.",
  "It is not your turn: {names} to act.": "Du bist nicht am Zug. Am Zug: {names}.",
  "Best: {move}.": "Am besten: {move}.",
  "Numbers: your expected lead at the end. Faint: rough guesses.":
    "Zahlen: dein erwarteter Vorsprung am Ende. Blass: grob geschätzt.",
  "Cancel": "Abbrechen",
  "Hint": "Tipp",
  "Got it": "Verstanden",
  "All cards are hidden. Pass the device to {name}.": "Alle Karten sind verdeckt. Gib das Gerät an {name} weiter.",
  "Next is {name}.": "Als Nächstes: {name}.",
  "I am {name}": "Ich bin {name}",
  "Hide my cards and pass to {name}": "Meine Karten verdecken und an {name} weitergeben",
  "This device only watches. To play, open the link of your seat: the browser in which the game was created has it under “Links to send”.":
    "Dieses Gerät sieht nur zu. Um mitzuspielen, öffne den Link deines Platzes: Er steht unter „Links zum Verschicken“ in dem Browser, in dem die Partie begonnen wurde.",
  "Skip to the table": "Zum Spieltisch",
  "New game": "Neue Partie",
  "Rule:": "Regel:",
  "Reason:": "Grund:",
  "The position": "Die Stellung",

  // Roll & Write
  "Number {number}": "Zahl {number}",
  "This number fits into no box of the colours that were rolled.":
    "Diese Zahl passt in kein Feld der gewürfelten Farben.",
  "Dice": "Würfel",
  "The dice are in the cup.": "Die Würfel sind im Becher.",
  "Refuse the dice and shade a dice symbol": "Würfel ablehnen und ein Würfelsymbol ausfüllen",
  "Stop: do not accelerate": "Aufhören: nicht beschleunigen",
  "Sheet of {name}": "Blatt von {name}",
  "no number": "keine Zahl",
  "not passed, and the bonus can still be got": "nicht überquert, der Bonus ist noch zu haben",
  "not passed, and the bonus has gone to others": "nicht überquert, den Bonus haben andere",
  "passed in this turn: the bonus is given when the turn ends":
    "in diesem Zug überquert, den Bonus gibt es am Ende des Zugs",
  "passed, and the bonus got": "überquert, mit Bonus",
  "passed after the bonus had gone to others": "überquert, nachdem andere den Bonus hatten",
  "{colour}, box {number}": "{colour}, Feld {number}",
  "{colour}, end artefact": "{colour}, End-Artefakt",
  "{colour}, circle": "{colour}, Kreis",
  "circle marked": "Kreis angekreuzt",
  "end artefact marked": "End-Artefakt angekreuzt",
  "Mark the end artefact of {colour}": "End-Artefakt von {colour} ankreuzen",
  "Mark the circle of {colour}": "Kreis von {colour} ankreuzen",
  "A circle is marked with a 0, before the first number of its colour.":
    "Einen Kreis kreuzt du mit einer 0 an, vor der ersten Zahl seiner Farbe.",
  "Only the next free box of a colour that was rolled can be filled, with a number that is not lower than the one below it.":
    "Nur das nächste freie Feld einer gewürfelten Farbe kann ausgefüllt werden, mit einer Zahl, die nicht kleiner ist als die darunter.",
  "Accelerate {colour}": "{colour} beschleunigen",
  "Write {numbers} in {colour}": "{numbers} bei {colour} eintragen",
  "Bridge: {standing}": "Brücke: {standing}",
  "Artefacts: {count} shaded": "Artefakte: {count} ausgefüllt",
  "Dice symbols: {count} shaded": "Würfelsymbole: {count} ausgefüllt",
  "Accelerate an expedition, or stop": "Beschleunige eine Expedition oder höre auf",
  "Choose a colour and a number: mark a glowing box, or refuse the dice":
    "Wähle eine Farbe und eine Zahl: Fülle ein leuchtendes Feld aus oder lehne die Würfel ab",
  "The arrow lets you fill one more box of any colour, with the number below it again.":
    "Durch den Pfeil darfst du noch ein Feld einer beliebigen Farbe ausfüllen, noch einmal mit der Zahl darunter.",
  "Tap a number, then a glowing box. Numbers may not fall on the way up, so begin low. Short columns cost points: fill few of them high, and refuse dice that fit badly.":
    "Tippe eine Zahl an, dann ein leuchtendes Feld. Nach oben dürfen die Zahlen nicht kleiner werden, also beginne niedrig. Kurze Spalten kosten Punkte: Fülle wenige hoch, und lehne schlechte Würfel ab.",
  "The dice show {dice}": "Die Würfel zeigen {dice}",
  "You wrote {number} in {colour}": "Du hast {number} bei {colour} eingetragen",
  "{name} wrote {number} in {colour}": "{name} hat {number} bei {colour} eingetragen",
  "You marked the circle of {colour}": "Du hast den Kreis von {colour} angekreuzt",
  "{name} marked the circle of {colour}": "{name} hat den Kreis von {colour} angekreuzt",
  "You marked the end of {colour}": "Du hast das Ende von {colour} angekreuzt",
  "{name} marked the end of {colour}": "{name} hat das Ende von {colour} angekreuzt",
  "You accelerated {colour}": "Du hast {colour} beschleunigt",
  "{name} accelerated {colour}": "{name} hat {colour} beschleunigt",
  "You refused the dice": "Du hast die Würfel abgelehnt",
  "{name} refused the dice": "{name} hat die Würfel abgelehnt",
  "You did not accelerate": "Du hast nicht beschleunigt",
  "{name} did not accelerate": "{name} hat nicht beschleunigt",
  "artefacts": "Artefakte",
  "dice symbols": "Würfelsymbole",
  "Order of the others": "Reihenfolge der anderen",
  "How the players choose who did not roll.": "Wie die Spieler wählen, die nicht gewürfelt haben.",
  "all at once": "alle gleichzeitig",
  "one after the other": "nacheinander",
  "Sheet": "Blatt",
  "For experts: where arrows and artefacts are printed, and what a column counts, as JSON.":
    "Für Fachleute: wo Pfeile und Artefakte gedruckt sind und was eine Spalte zählt, als JSON.",
  "A 10 may start": "Eine 10 darf beginnen",
  "Whether a 0 may start an expedition as a 10.": "Ob eine 0 eine Expedition als 10 beginnen darf.",
  "circle only": "nur Kreis",
  "1 box": "1 Feld",
  "{count} boxes": "{count} Felder",
  "The aim": "Das Ziel",
  "You have a sheet with {columns} expeditions. Fill their boxes from the bottom up: a short expedition costs points, a long one earns many.":
    "Du hast ein Blatt mit {columns} Expeditionen. Fülle ihre Felder von unten nach oben aus: Eine kurze Expedition kostet Punkte, eine lange bringt viele.",
  "A turn": "Ein Zug",
  "The active player rolls {colour_dice} colour dice and {number_dice} number dice, and takes one of each.":
    "Der aktive Spieler wirft {colour_dice} Farbwürfel und {number_dice} Zahlenwürfel und nimmt von beiden je einen.",
  "Then all others choose one colour and one number from the dice that are left, in turn. Several players may choose the same dice.":
    "Dann wählen alle anderen der Reihe nach eine Farbe und eine Zahl von den übrigen Würfeln. Mehrere Spieler dürfen dieselben Würfel wählen.",
  "Then all others choose one colour and one number from the dice that are left. Several players may choose the same dice.":
    "Dann wählen alle anderen eine Farbe und eine Zahl von den übrigen Würfeln. Mehrere Spieler dürfen dieselben Würfel wählen.",
  "Write the number into the next free box of that colour. It must not be lower than the number below it. A 0 counts as 10.":
    "Trage die Zahl in das nächste freie Feld dieser Farbe ein. Sie darf nicht kleiner sein als die Zahl darunter. Eine 0 gilt als 10.",
  "If you want none of the dice, refuse: that shades your next dice symbol.":
    "Willst du keinen der Würfel, dann lehne ab: Dafür füllst du dein nächstes Würfelsymbol aus.",
  "What a box does": "Was ein Feld bewirkt",
  "A 0 before the first number marks the circle below the expedition, which doubles its points, losses too. It may also start the expedition as a 10.":
    "Mit einer 0 vor der ersten Zahl kreuzt du den Kreis unter der Expedition an, der ihre Punkte verdoppelt, auch Verluste. Sie darf die Expedition auch als 10 beginnen.",
  "A 0 before the first number marks the circle below the expedition, which doubles its points, losses too.":
    "Mit einer 0 vor der ersten Zahl kreuzt du den Kreis unter der Expedition an, der ihre Punkte verdoppelt, auch Verluste.",
  "An arrow: you may accelerate. The next box of any expedition gets the number below it again, or a 1 if it is the first.":
    "Ein Pfeil: Du darfst beschleunigen. Das nächste Feld einer beliebigen Expedition bekommt noch einmal die Zahl darunter, oder eine 1, wenn es das erste ist.",
  "A vase: shade an artefact.": "Eine Vase: Fülle ein Artefakt aus.",
  "After {boxes} numbers, one more that fits marks the end of the expedition and shades an artefact.":
    "Nach {boxes} Zahlen kreuzt du mit einer weiteren, die passt, das Ende der Expedition an und füllst ein Artefakt aus.",
  "A bridge lies before box {box} of each column. The first player to pass it gets {points} points; several who do so in the same turn all get them.":
    "Vor Feld {box} jeder Spalte liegt eine Brücke. Wer sie als Erster überquert, bekommt {points} Punkte; gelingt es mehreren im selben Zug, bekommen alle sie.",
  "The end": "Das Ende",
  "The game ends after the turn in which the last of the {bridges} bridges was passed, or when all players have shaded all {boxes} dice symbols.":
    "Die Partie endet nach dem Zug, in dem die letzte der {bridges} Brücken überquert wurde, oder wenn alle Spieler alle {boxes} Würfelsymbole ausgefüllt haben.",
  "The score": "Die Wertung",
  "Points by the number of boxes filled in a column. An expedition of 0 boxes is one whose circle alone is marked; an untouched one counts 0.":
    "Punkte nach der Zahl der ausgefüllten Felder einer Spalte. Eine Expedition mit 0 Feldern ist eine, bei der nur der Kreis angekreuzt ist; eine unberührte zählt 0.",
  "expedition": "Expedition",
  "Points": "Punkte",

  // Auf Schatzsuche
  "Die {number} shows {face}: throw it again": "Würfel {number} zeigt {face}: noch einmal werfen",
  "Throw 1 die again": "1 Würfel noch einmal werfen",
  "Throw {count} dice again": "{count} Würfel noch einmal werfen",
  "You can make {numbers}.": "Du kannst {numbers} bilden.",
  "Keep the dice": "Würfel behalten",
  "Skip: take no tile": "Kein Plättchen nehmen",
  "End the turn": "Zug beenden",
  "Take {card}": "{card} nehmen",
  "Take {card}, wager side up": "{card} nehmen, Wettsymbol nach oben",
  "Take {card}, plain side up": "{card} nehmen, Rückseite nach oben",
  "First keep the dice, or throw some of them again.":
    "Behalte zuerst die Würfel oder wirf einige noch einmal.",
  "Tiles in the centre": "Allgemeine Auslage",
  "Claim: {bonus}": "Nehmen: {bonus}",
  "A bonus tile is claimed at the end of your turn, when you have what it asks for.":
    "Ein Bonus-Plättchen nimmst du am Ende deines Zuges, wenn du seine Bedingung erfüllst.",
  "Bonus tiles": "Bonus-Plättchen",
  "fulfilled": "erfüllt",
  "out of reach": "nicht mehr möglich",
  "1 missing": "1 fehlt",
  "{count} missing": "{count} fehlen",
  "Tiles of {name}": "Auslage von {name}",
  "Keep the dice, or pick those that you throw again":
    "Behalte die Würfel oder wähle die aus, die du noch einmal wirfst",
  "Take a tile whose number you threw, or skip": "Nimm ein Plättchen mit einer gewürfelten Zahl oder keines",
  "Claim a bonus tile, or end your turn": "Nimm ein Bonus-Plättchen oder beende deinen Zug",
  "Wait for the dice": "Warte auf die Würfel",
  "Tap the dice that you want to throw again, once. A tile needs a number that one die shows, or the sum of two or all three.":
    "Tippe die Würfel an, die du noch einmal werfen willst, ein einziges Mal. Für ein Plättchen brauchst du eine Zahl, die ein Würfel zeigt, oder die Summe von zweien oder allen dreien.",
  "Take a glowing tile. In each colour your numbers may only rise, so begin low. A wager (two rings) on the dice and on the tile doubles its colour.":
    "Nimm ein leuchtendes Plättchen. In jeder Farbe dürfen deine Zahlen nur steigen, also beginne niedrig. Ein Wettsymbol (zwei Ringe) auf Würfel und Plättchen verdoppelt die Farbe.",
  "You took {card}": "Du hast {card} genommen",
  "{name} took {card}": "{name} hat {card} genommen",
  "You kept the dice": "Du hast die Würfel behalten",
  "{name} kept the dice": "{name} hat die Würfel behalten",
  "You threw {dice} again": "Du hast {dice} noch einmal geworfen",
  "{name} threw {dice} again": "{name} hat {dice} noch einmal geworfen",
  "You took no tile": "Du hast kein Plättchen genommen",
  "{name} took no tile": "{name} hat kein Plättchen genommen",
  "You claimed a bonus: {card}": "Du hast ein Bonus-Plättchen genommen: {card}",
  "{name} claimed a bonus: {card}": "{name} hat ein Bonus-Plättchen genommen: {card}",
  "You ended your turn": "Du hast deinen Zug beendet",
  "{name} ended the turn": "{name} hat den Zug beendet",
  "Throw {dice} again": "{dice} noch einmal werfen",
  "again": "neu",
  "Footprints": "Fußspuren",
  "For experts: the footprints on the ten plain sides and on the wager sides, as JSON.":
    "Für Fachleute: die Fußspuren auf den zehn Seiten ohne und auf denen mit Wettsymbol, als JSON.",
  "Max turns": "Höchstens so viele Züge",
  "The game ends after so many turns of all players together. Empty: no limit.":
    "Die Partie endet nach so vielen Zügen aller Spieler zusammen. Leer: keine Grenze.",
  "1 footprint": "1 Fußspur",
  "{count} footprints": "{count} Fußspuren",
  "Collect tiles in five colours. Their footprints are points, wagers multiply them, and bonus tiles reward the sets that you complete.":
    "Sammle Plättchen in fünf Farben. Ihre Fußspuren sind Punkte, Wettsymbole vervielfachen sie, und Bonus-Plättchen belohnen, was du vollständig machst.",
  "Throw {dice} dice. Once, you may throw some or all of them again.":
    "Wirf {dice} Würfel. Einmal darfst du einige oder alle noch einmal werfen.",
  "Take a tile whose number is on one die, or is the sum of two or all three. A wager on a die counts 0. You may also skip.":
    "Nimm ein Plättchen, dessen Zahl ein Würfel zeigt oder die Summe von zweien oder allen dreien ist. Ein Wettsymbol auf einem Würfel zählt 0. Du darfst auch verzichten.",
  "The tile must be higher than all tiles of its colour that you have.":
    "Das Plättchen muss höher sein als alle Plättchen seiner Farbe in deiner Auslage.",
  "Claim each bonus tile whose condition you meet. It is yours for the rest of the game.":
    "Nimm jedes Bonus-Plättchen, dessen Bedingung du erfüllst. Du behältst es bis zum Ende der Partie.",
  "Wagers": "Wettsymbole",
  "The tiles {numbers} lie with their wager side up: two rings. Such a tile keeps this side up only if a die shows a wager when you take it. Otherwise it is turned over and is a tile like the others.":
    "Die Plättchen {numbers} liegen mit dem Wettsymbol nach oben: zwei Ringen. So bleibt ein solches Plättchen nur liegen, wenn beim Nehmen ein Würfel ein Wettsymbol zeigt. Sonst wird es umgedreht und ist ein Plättchen wie die anderen.",
  "Each counts {points} points:": "Jedes zählt {points} Punkte:",
  "The game ends after the turn in which the last {number} or the last bonus tile was taken. With two players the last of {count} bonus tiles is enough: those for four tiles of one colour and the one for all colours.":
    "Die Partie endet nach dem Zug, in dem die letzte {number} oder das letzte Bonus-Plättchen genommen wurde. Zu zweit genügt das letzte von {count} Bonus-Plättchen: denen für vier Plättchen einer Farbe und dem für alle Farben.",
  "This game has at most {max_turns} turns.": "Diese Partie hat höchstens {max_turns} Züge.",
  "A colour counts its footprints. One wager side doubles them, two triple them, three count four times. Add the bonus tiles.":
    "Eine Farbe zählt ihre Fußspuren. Ein Wettsymbol verdoppelt sie, zwei verdreifachen sie, drei vervierfachen sie. Dazu kommen die Bonus-Plättchen.",

  // Rivals
  "{card}: take or remove": "{card}: nehmen oder entfernen",
  "To take cards of the display, open an auction and win it.":
    "Um Karten der Auslage zu nehmen, eröffne eine Versteigerung und gewinne sie.",
  "Done: turn over the next card": "Fertig: die nächste Karte aufdecken",
  "Uncover the next card": "Die nächste Karte aufdecken",
  "Display and pile": "Auslage und Stapel",
  "{action}, {count} left in the pile": "{action}, noch {count} im Stapel",
  "During an auction no card is turned over.": "Während einer Versteigerung wird keine Karte aufgedeckt.",
  "cards in the pile": "Karten im Stapel",
  "Display": "Auslage",
  "gold in the supply": "Gold im Vorrat",
  "last pile": "letzter Stapel",
  "1 more pile": "noch 1 Stapel",
  "{count} more piles": "noch {count} Stapel",
  "The game ends with the last card of this pile.": "Mit der letzten Karte dieses Stapels endet die Partie.",
  "The next piles have {sizes} cards.": "Die nächsten Stapel haben {sizes} Karten.",
  "Remove a card from the game": "Eine Karte aus der Partie entfernen",
  "{name} bids {bid}. Still in: {names}.": "{name} bietet {bid}. Noch dabei: {names}.",
  "Open an auction for the display:": "Eröffne eine Versteigerung der Auslage:",
  "Bid {gold}": "{gold} bieten",
  "Auction": "Versteigerung",
  "Pass": "Passen",
  "Take to the {colour} expedition": "Zur Expedition {colour} nehmen",
  "The winner of an auction takes cards of the display. A card goes on the expedition of its own colour.":
    "Wer eine Versteigerung gewinnt, nimmt Karten der Auslage. Eine Karte kommt auf die Expedition ihrer Farbe.",
  "Expeditions of {name}": "Expeditionen von {name}",
  "{gold} gold": "{gold} Gold",
  "Bid more than {bid} gold, or pass": "Biete mehr als {bid} Gold oder passe",
  "Uncover a card or open an auction": "Decke eine Karte auf oder eröffne eine Versteigerung",
  "Uncover a card": "Decke eine Karte auf",
  "Turn over the next card": "Decke die nächste Karte auf",
  "Take cards from the display, remove one if you like, then turn over the next card":
    "Nimm Karten aus der Auslage, entferne eine, wenn du willst, und decke dann die nächste Karte auf",
  "Take cards from the display, then turn over the next card":
    "Nimm Karten aus der Auslage und decke dann die nächste Karte auf",
  "Bid if the cards of the display are worth more to you than the gold: gold that you keep is points too.":
    "Biete, wenn dir die Karten der Auslage mehr wert sind als das Gold: Gold, das du behältst, zählt auch Punkte.",
  "You won. Tap a card and then your expedition of its colour, as often as you like. Numbers may not fall, wagers come first.":
    "Du hast gewonnen. Tippe eine Karte an und dann deine Expedition ihrer Farbe, so oft du willst. Die Zahlen dürfen nicht kleiner werden, Wettkarten kommen zuerst.",
  "Uncover another card, or open an auction with a bid: tap a coin. The winner pays and takes what fits.":
    "Decke noch eine Karte auf, oder eröffne eine Versteigerung mit einem Gebot: Tippe eine Münze an. Wer gewinnt, bezahlt und nimmt, was passt.",
  "Tap the pile to uncover a card. All cards in the display are auctioned together later. The cards with two rings are your first wagers: they multiply the points of their colour.":
    "Tippe den Stapel an, um eine Karte aufzudecken. Alle Karten der Auslage werden später zusammen versteigert. Die Karten mit zwei Ringen sind deine ersten Wettkarten: Sie vervielfachen die Punkte ihrer Farbe.",
  "The card is {card}": "Die Karte ist {card}",
  "You begin with {cards}": "Du beginnst mit {cards}",
  "{name} begins with {cards}": "{name} beginnt mit {cards}",
  "You uncovered a card": "Du hast eine Karte aufgedeckt",
  "{name} uncovered a card": "{name} hat eine Karte aufgedeckt",
  "You bid {bid}": "Du hast {bid} geboten",
  "{name} bid {bid}": "{name} hat {bid} geboten",
  "You passed": "Du hast gepasst",
  "{name} passed": "{name} hat gepasst",
  "You removed {card}": "Du hast {card} entfernt",
  "{name} removed {card}": "{name} hat {card} entfernt",
  "You turned over the next card": "Du hast die nächste Karte aufgedeckt",
  "{name} turned over the next card": "{name} hat die nächste Karte aufgedeckt",
  "Take": "Nehmen",
  "Remove": "Entfernen",
  "Remove {card}": "{card} entfernen",
  "take": "nehmen",
  "remove": "weg",
  "Piles": "Stapel",
  "The cards of each pile, in the order in which they are played: 80 in all.":
    "Wie viele Karten jeder Stapel hat, in der Reihenfolge, in der sie gespielt werden: zusammen 80.",
  "1 coin": "1 Münze",
  "{count} coins": "{count} Münzen",
  "{least} to {most}": "{least} bis {most}",
  "{share} with {seats} players": "{share} bei {seats} Spielern",
  "Buy cards at auctions and lay them on your expeditions, one in each colour. Footprints on your cards are points, and so is the gold that you keep.":
    "Ersteigere Karten und lege sie an deine Expeditionen, eine in jeder Farbe. Fußspuren auf deinen Karten sind Punkte, ebenso das Gold, das du behältst.",
  "Do one of two things:": "Tu eines von beidem:",
  "Uncover the top card of the pile. It joins the display. A card that no player can use leaves the game.":
    "Decke die oberste Karte des Stapels auf. Sie kommt in die Auslage. Eine Karte, die kein Spieler gebrauchen kann, kommt aus der Partie.",
  "Open an auction for the display with a bid of at least 1 gold.":
    "Eröffne eine Versteigerung der Auslage mit einem Gebot von mindestens 1 Gold.",
  "An auction": "Eine Versteigerung",
  "In turn each player bids more or drops out, until one is left. That player pays the bid, takes any cards of the display that fit, may remove one card from the game, and turns over the next card. Then it is the turn of the player after the winner.":
    "Der Reihe nach bietet jeder mehr oder steigt aus, bis einer übrig ist. Dieser bezahlt sein Gebot, nimmt beliebige passende Karten der Auslage, darf eine Karte aus der Partie entfernen und deckt die nächste Karte auf. Danach ist der Spieler nach ihm am Zug.",
  "Your expeditions": "Deine Expeditionen",
  "You begin with {wagers} wagers, the cards with two rings. A number must be equal to or higher than the last one of its colour. Wagers can be added only before the first number.":
    "Du beginnst mit {wagers} Wettkarten, den Karten mit zwei Ringen. Eine Zahl muss gleich der letzten ihrer Farbe oder höher sein. Wettkarten dürfen nur vor der ersten Zahl dazukommen.",
  "Gold and piles": "Gold und Stapel",
  "The {gold} gold are shared out at the start: {shares}. The cards come in {piles} piles. After the last card of a pile the gold that was paid is shared out evenly. The last card of the last pile ends the game at once.":
    "Die {gold} Gold werden zu Beginn verteilt: {shares}. Die Karten kommen in {piles} Stapeln. Nach der letzten Karte eines Stapels wird das bezahlte Gold gleichmäßig verteilt. Mit der letzten Karte des letzten Stapels endet die Partie sofort.",
  "The numbers {one} show 1 footprint, {two} show 2, wagers none.":
    "Die Zahlen {one} zeigen 1 Fußspur, {two} zeigen 2, Wettkarten keine.",
  "An expedition counts its footprints. One wager doubles them, two triple them, and so on.":
    "Eine Expedition zählt ihre Fußspuren. Eine Wettkarte verdoppelt sie, zwei verdreifachen sie, und so weiter.",
  "{numbers} or more numbers in one colour earn {bonus} points more.":
    "{numbers} oder mehr Zahlen einer Farbe bringen {bonus} Punkte dazu.",
  "Each gold coin counts 1 point.": "Jede Goldmünze zählt 1 Punkt.",

  // The duel
  "Play on the {colour} expedition": "Auf die Expedition {colour} spielen",
  "Choose a card of your hand. It goes on the expedition of its own colour.":
    "Wähle eine Handkarte. Sie kommt auf die Expedition ihrer Farbe.",
  "{count} cards": "{count} Karten",
  "You have put down a card. Now draw one.": "Du hast eine Karte abgelegt. Ziehe jetzt eine.",
  "Draw from the deck, {count} cards left": "Vom Nachziehstapel ziehen, noch {count} Karten",
  "First play a card or discard one.": "Spiele zuerst eine Karte aus oder lege eine ab.",
  "cards in the deck": "Karten im Nachziehstapel",
  "deck": "Stapel",
  "Deck and discard piles": "Nachziehstapel und Ablagestapel",
  "Draw {card} from the {colour} discard pile": "{card} vom Ablagestapel {colour} ziehen",
  "Discard on the {colour} pile": "Auf den Ablagestapel {colour} legen",
  "Choose a card of your hand. It goes on the discard pile of its own colour.":
    "Wähle eine Handkarte. Sie kommt auf den Ablagestapel ihrer Farbe.",
  "{card} on top of the {colour} discard pile": "{card} oben auf dem Ablagestapel {colour}",
  "{colour} discard pile: empty": "Ablagestapel {colour}: leer",
  "closed": "gesperrt",
  "Known cards of {name}": "Bekannte Karten von {name}",
  "Your hand": "Deine Hand",
  "Hand of {name}": "Hand von {name}",
  "{card}: play or discard": "{card}: ausspielen oder ablegen",
  "Play a card or discard it": "Spiele eine Karte aus oder lege sie ab",
  "Draw a card from the deck or from a discard pile":
    "Ziehe eine Karte vom Nachziehstapel oder von einem Ablagestapel",
  "Tap a card, then your expedition to play it, or the discard pile of its colour. Beginning an expedition costs 20 points and numbers may only rise: begin low, where you hold several cards.":
    "Tippe eine Karte an, dann deine Expedition oder den Ablagestapel ihrer Farbe. Eine Expedition zu beginnen kostet 20 Punkte, und Zahlen dürfen nur steigen: Beginne niedrig, wo du mehrere Karten hast.",
  "The cards with two rings are wagers: each multiplies what its expedition earns, or loses. They come before the numbers.":
    "Die Karten mit zwei Ringen sind Wettkarten: Jede vervielfacht, was ihre Expedition einbringt oder verliert. Sie kommen vor den Zahlen.",
  "Now draw: from the deck, or a card that you see on a discard pile. The last card of the deck ends the game.":
    "Ziehe jetzt: vom Nachziehstapel oder eine Karte, die du auf einem Ablagestapel siehst. Mit der letzten Karte des Nachziehstapels endet die Partie.",
  "You were dealt {cards}": "Du hast {cards} bekommen",
  "{name} was dealt {cards}": "{name} hat {cards} bekommen",
  "You played {card}": "Du hast {card} ausgespielt",
  "{name} played {card}": "{name} hat {card} ausgespielt",
  "You discarded {card}": "Du hast {card} abgelegt",
  "{name} discarded {card}": "{name} hat {card} abgelegt",
  "{name} drew a card": "{name} hat eine Karte gezogen",
  "You drew {card}": "Du hast {card} gezogen",
  "{name} drew {card}": "{name} hat {card} gezogen",
  "You go to the deck": "Du ziehst vom Nachziehstapel",
  "{name} goes to the deck": "{name} zieht vom Nachziehstapel",
  "You took {card} from the discard pile": "Du hast {card} vom Ablagestapel genommen",
  "{name} took {card} from the discard pile": "{name} hat {card} vom Ablagestapel genommen",
  "Play": "Ausspielen",
  "Discard": "Ablegen",
  "Play {card}": "{card} ausspielen",
  "Discard {card}": "{card} ablegen",
  "Draw from the deck": "Vom Nachziehstapel ziehen",
  "Draw from the {colour} pile": "Vom Ablagestapel {colour} ziehen",
  "play": "spielen",
  "discard": "ablegen",
  "draw": "ziehen",
  "Expeditions": "Expeditionen",
  "Six expeditions make a longer game, with purple.": "Sechs Expeditionen ergeben eine längere Partie, mit Lila.",
  "Take back your discard": "Eigene Ablage zurücknehmen",
  "Whether you may draw the card that you have just discarded.":
    "Ob du die Karte ziehen darfst, die du gerade abgelegt hast.",
  "Rounds": "Runden",
  "The points of all rounds add up: 1 to 9 rounds.": "Die Punkte aller Runden werden addiert: 1 bis 9 Runden.",
  "A round ends after so many turns of both players together. Empty: when the deck is empty.":
    "Eine Runde endet nach so vielen Zügen beider Spieler zusammen. Leer: wenn der Nachziehstapel leer ist.",
  "Each of the {expeditions} colours is a journey that you may begin or leave alone. A journey costs {cost} points, and the cards that you play on it have to bring in more.":
    "Jede der {expeditions} Farben ist eine Expedition, die du beginnen oder lassen kannst. Eine Expedition kostet {cost} Punkte, und die Karten, die du auf sie spielst, müssen mehr einbringen.",
  "First put down one card of your hand: play it on your own expedition of its colour, or discard it face up on the pile of its colour.":
    "Lege zuerst eine Handkarte ab: Spiele sie auf deine Expedition ihrer Farbe, oder lege sie offen auf den Ablagestapel ihrer Farbe.",
  "Then draw one card: from the deck, or the top card of a discard pile.":
    "Ziehe dann eine Karte: vom Nachziehstapel oder die oberste eines Ablagestapels.",
  "Then draw one card: from the deck, or the top card of a discard pile, but not the card that you have just discarded.":
    "Ziehe dann eine Karte: vom Nachziehstapel oder die oberste eines Ablagestapels, aber nicht die, die du gerade abgelegt hast.",
  "There are {cards} cards: in each colour the numbers {least} to {most} and {wagers} wagers. You always hold {hand} at the end of your turn.":
    "Es gibt {cards} Karten: in jeder Farbe die Zahlen {least} bis {most} und {wagers} Wettkarten. Am Ende deines Zuges hast du immer {hand} auf der Hand.",
  "Playing on an expedition": "Auf eine Expedition spielen",
  "Every number must be higher than the last one there. You may leave gaps, but you cannot go back. Wagers, the cards with two rings, come first: after the first number no wager can follow.":
    "Jede Zahl muss höher sein als die letzte dort. Du darfst Lücken lassen, aber nicht zurückgehen. Wettkarten, die Karten mit zwei Ringen, kommen zuerst: Nach der ersten Zahl kann keine Wettkarte mehr folgen.",
  "When the last card of the deck is drawn, the round is over at once. The cards in your hand count nothing.":
    "Wird die letzte Karte des Nachziehstapels gezogen, ist die Runde sofort zu Ende. Die Karten auf deiner Hand zählen nichts.",
  "A round has at most {max_turns} turns.": "Eine Runde hat höchstens {max_turns} Züge.",
  "This match has {rounds} rounds, and their points add up.":
    "Diese Partie hat {rounds} Runden, und ihre Punkte werden addiert.",
  "An expedition counts the sum of its numbers minus {cost}.":
    "Eine Expedition zählt die Summe ihrer Zahlen minus {cost}.",
  "One, two or three wagers multiply that by 2, 3 or 4, also when it is a loss.":
    "Eine, zwei oder drei Wettkarten vervielfachen das mit 2, 3 oder 4, auch wenn es ein Verlust ist.",
  "With {cards} or more cards, wagers included, it earns {bonus} points more.":
    "Mit {cards} oder mehr Karten, Wettkarten eingeschlossen, bringt sie {bonus} Punkte dazu.",
  "A colour in which you played nothing counts 0.": "Eine Farbe, in der du nichts gespielt hast, zählt 0.",
  "Example: a wager, 4, 7, 8 and 10 count (29 − {cost}) × 2 = {points} points. A wager alone costs {loss}.":
    "Beispiel: eine Wettkarte, 4, 7, 8 und 10 zählen (29 − {cost}) × 2 = {points} Punkte. Eine Wettkarte allein kostet {loss}.",
};
