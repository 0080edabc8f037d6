"""The contract is valid, complete, and agrees with the service."""

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import jsonschema_rs
import openapi_spec_validator
import pytest
from flask import Flask
from lostcities.api.game_contract import pascal_case
from lostcities.api.games.schemas import OptionsView, PositionView
from lostcities.api.problems.catalogue import CATALOGUE
from lostcities.api.problems.responses import RESPONSES
from lostcities.games.storage import StoreUnavailable
from lostcities.variants.registry import VARIANTS

from tests import sse
from tests.client import Client
from tests.contract import examples
from tests.contract.conforms import CONTRACT

ROOT = Path(__file__).parents[2]
SCHEMAS_OF_CONTRACT = CONTRACT["components"]["schemas"]
OPERATIONS = {
    operation["operationId"]: operation
    for item in CONTRACT["paths"].values()
    for operation in item.values()
    if "operationId" in operation
}


def test_it_is_valid_openapi() -> None:
    openapi_spec_validator.validate(CONTRACT)


# Schemas -----------------------------------------------------------------------------------------------------------


def walk(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The schema and all schemas in it, each with its path."""
    yield path, schema
    for name, member in schema.get("properties", {}).items():
        yield from walk(member, f"{path}.{name}")
    if "items" in schema:
        yield from walk(schema["items"], f"{path}[]")
    for combined in ("oneOf", "anyOf", "allOf"):
        for member in schema.get(combined, []):
            yield from walk(member, f"{path}|")


EVERY_SCHEMA = [part for name, schema in SCHEMAS_OF_CONTRACT.items() for part in walk(schema, name)]


def types(schema: Any) -> list[str]:
    named = schema.get("type", [])
    return named if isinstance(named, list) else [named]


def test_every_field_has_a_description() -> None:
    assert [path for path, schema in EVERY_SCHEMA if not path.endswith("|") and not schema.get("description")] == []


def test_every_object_has_named_members() -> None:
    shapes = {"type", "const", "enum", "$ref", "oneOf", "anyOf"}
    assert [path for path, schema in EVERY_SCHEMA if not shapes & schema.keys()] == []
    assert [path for path, schema in EVERY_SCHEMA if "object" in types(schema) and "properties" not in schema] == []


def reachable(schema: Any, *, closed: bool = False) -> Iterator[tuple[str, Any, bool]]:
    """The named schemas that a schema refers to, and whether the reference closes them."""
    for _, part in walk(schema, ""):
        if "$ref" in part:
            name = part["$ref"].rsplit("/", 1)[1]
            yield name, SCHEMAS_OF_CONTRACT[name], part.get("unevaluatedProperties") is False
            yield from reachable(SCHEMAS_OF_CONTRACT[name])


REQUESTED = [
    each
    for operation in OPERATIONS.values()
    if "requestBody" in operation
    for each in reachable(operation["requestBody"]["content"]["application/json"]["schema"])
]
SHARED = {
    schema.__name__
    for variant in VARIANTS
    for schema in (VARIANTS[variant].schema.of(PositionView), VARIANTS[variant].schema.of(OptionsView))
}


def test_requests_are_closed() -> None:
    """Options and positions are closed where a request refers to them, because answers have them, too."""
    objects = [(name, schema, closed) for name, schema, closed in REQUESTED if "object" in types(schema)]
    assert len(objects) > 50
    assert {
        name for name, schema, closed in objects if not closed and schema.get("additionalProperties", True)
    } == set()
    assert {name for name, _, closed in objects if closed} == SHARED


def test_answers_are_open() -> None:
    """Except for moves and for parts of positions and options, which requests have, too."""
    in_requests = {name for name, _, _ in REQUESTED}
    closed = {
        path.split(".", maxsplit=1)[0]
        for path, schema in EVERY_SCHEMA
        if not schema.get("additionalProperties", True) or not schema.get("unevaluatedProperties", True)
    }
    assert closed - in_requests == set()
    assert not closed & SHARED


def test_codes_and_reasons_have_no_enum() -> None:
    """A generated client would refuse a value that a later version adds."""
    named = [(path, schema) for path, schema in EVERY_SCHEMA if path.rsplit(".", 1)[-1] in ("code", "rule", "reason")]
    assert len(named) > 8
    assert [path for path, schema in named if "enum" in schema] == []


@pytest.mark.parametrize(
    ("type_", "bounds"),
    [
        ("string", {"maxLength", "const", "enum"}),
        ("integer", {"maximum", "const", "enum"}),
        ("array", {"maxItems"}),
    ],
)
def test_every_value_is_bounded(type_: str, bounds: set[str]) -> None:
    assert [path for path, schema in EVERY_SCHEMA if type_ in types(schema) and not bounds & schema.keys()] == []


def options(union: str) -> dict[str, Any]:
    """The members of a discriminated union by discriminator value. Checks that each member has its value."""
    schema = SCHEMAS_OF_CONTRACT[union]
    tag, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
    assert sorted(mapping.values()) == sorted(member["$ref"] for member in schema["oneOf"])
    members = {value: SCHEMAS_OF_CONTRACT[reference.rsplit("/", 1)[1]] for value, reference in mapping.items()}
    for value, member in members.items():
        assert target(member["properties"][tag])["enum"] == [value]
        assert tag in member["required"]
    return members


def target(reference: Any) -> Any:
    """The component that a reference leads to."""
    return SCHEMAS_OF_CONTRACT[reference["$ref"].rsplit("/", 1)[1]]


@pytest.mark.parametrize("union", ["GameRecord", "Game", "CreatedGame", "LegalMoves", "Score", "Variant"])
def test_unions_have_a_member_for_each_variant(union: str) -> None:
    assert options(union).keys() == VARIANTS.keys()


def test_a_game_is_created_from_the_settings_of_a_variant_or_from_a_record() -> None:
    references = [member["$ref"].rsplit("/", 1)[1] for member in SCHEMAS_OF_CONTRACT["NewGame"]["oneOf"]]
    *settings, record = [SCHEMAS_OF_CONTRACT[name]["properties"] for name in references]
    assert [target(each["variant"])["enum"] for each in settings] == [[variant] for variant in VARIANTS]
    assert record.keys() == {"record"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_positions_options_and_scores_are_typed_by_variant(variant: str) -> None:
    own = SCHEMAS_OF_CONTRACT
    game, score = options("Game")[variant]["properties"], options("Score")[variant]["properties"]
    position = own[game["position"]["$ref"].rsplit("/", 1)[1]]["properties"]
    chosen = own[game["options"]["$ref"].rsplit("/", 1)[1]]["properties"]
    moves = own[options("LegalMoves")[variant]["properties"]["moves"]["items"]["$ref"].rsplit("/", 1)[1]]
    assert target(position["variant"])["enum"] == [variant]
    assert chosen.keys() == {option.name for option in VARIANTS[variant].rules.INFO.options}
    assert moves["discriminator"]["mapping"].keys() == {
        move.type for move in VARIANTS[variant].rules.VOCABULARY.values()
    }
    line = own[
        own[score["seats"]["items"]["$ref"].rsplit("/", 1)[1]]["properties"]["lines"]["items"]["$ref"].rsplit("/", 1)[1]
    ]
    assert {"item", "points"} <= line["properties"].keys()


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_in_responses_are_discriminated_by_type(variant: str) -> None:
    types_of_moves = {move.type for move in VARIANTS[variant].rules.VOCABULARY.values()}
    assert options(f"{pascal_case(variant)}Move").keys() == types_of_moves


@pytest.mark.parametrize(
    ("request_", "variants"),
    [
        ("MovesRequest", [*VARIANTS]),
        ("AnyMoveRequest", [*VARIANTS]),
        *((f"{pascal_case(variant)}MoveRequest", [variant]) for variant in VARIANTS),
    ],
)
def test_a_request_takes_listed_moves_by_one_flat_union_with_the_notation_last(
    request_: str, variants: list[str]
) -> None:
    forms = [form["$ref"] for form in SCHEMAS_OF_CONTRACT[request_]["oneOf"]]
    listed = [
        form["$ref"] for variant in variants for form in SCHEMAS_OF_CONTRACT[f"{pascal_case(variant)}Move"]["oneOf"]
    ]
    assert forms[: len(listed)] == listed
    assert forms[-1].endswith("/MoveByNotation")
    assert not [form for form in forms if {"anyOf", "oneOf"} & SCHEMAS_OF_CONTRACT[form.rsplit("/", 1)[1]].keys()]


# What the generators of openapi-generator cannot read ----------------------------------------------------------------


def test_no_list_of_lists_has_an_enum() -> None:
    assert [path for path, schema in EVERY_SCHEMA if path.endswith("[][]") and "enum" in schema] == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_says_its_default(variant: str) -> None:
    properties = SCHEMAS_OF_CONTRACT[VARIANTS[variant].schema.of(OptionsView).__name__]["properties"]
    for option in VARIANTS[variant].rules.INFO.options:
        short = json.dumps(option.default, separators=(",", ":"))
        default = f"in `GET /variants/{variant}`" if isinstance(option.default, dict) else f"`{short}`"
        assert properties[option.name]["description"].endswith(f" The default is {default}."), option.name


def test_no_member_has_a_default() -> None:
    """openapi-typescript makes each member with a default required, in requests, too."""
    assert [path for path, schema in EVERY_SCHEMA if "default" in schema] == []


# Names ---------------------------------------------------------------------------------------------------------------

SOURCE = "".join(path.read_text() for path in (ROOT / "service" / "lostcities").rglob("*.py"))
NOT_SEARCHED = {name for name in SCHEMAS_OF_CONTRACT if name.startswith("Lantern")}
"""The schemas of the game that tests add from outside of the package."""


@pytest.mark.parametrize("name", sorted(SCHEMAS_OF_CONTRACT.keys() - NOT_SEARCHED))
def test_a_search_for_the_name_of_a_schema_finds_its_definition(name: str) -> None:
    """A class, or a name in a list of those that follow from a game's vocabulary."""
    assert re.search(rf'^class {name}(View)?\(|"{name}"', SOURCE, re.MULTILINE)


# Lists of values -----------------------------------------------------------------------------------------------------

LISTS = {name: schema for name, schema in SCHEMAS_OF_CONTRACT.items() if "enum" in schema}


def test_every_list_of_values_is_a_component() -> None:
    """Generated code has one type for it, with a name of ours. A list of one value is what tells forms apart in Go."""
    in_components = [path for path, schema in EVERY_SCHEMA if {"enum", "const"} & schema.keys()]
    in_parameters = [
        (name, parameter["name"])
        for name, operation in OPERATIONS.items()
        for parameter in operation.get("parameters", [])
        if {"enum", "const"} & parameter.get("schema", {}).keys()
    ]
    assert in_components == [*LISTS]
    assert in_parameters == []


def test_no_two_lists_have_the_same_values() -> None:
    values = [tuple(schema["enum"]) for schema in LISTS.values()]
    assert sorted({*values}) == sorted(values)


def test_the_constants_of_generated_code_have_different_names() -> None:
    """Constants of Go share one namespace."""
    names = [name for schema in LISTS.values() for name in schema["x-enum-varnames"]]
    assert len({*names}) == len(names) == sum(len(schema["enum"]) for schema in LISTS.values())
    assert [name for name in names if not re.fullmatch("[A-Z][A-Z0-9_]*", name)] == []


# Unions --------------------------------------------------------------------------------------------------------------

UNIONS = {name: schema for name, schema in SCHEMAS_OF_CONTRACT.items() if {"oneOf", "anyOf"} & schema.keys()}
TAGS = ("type", "variant", "name", "actor")


def forms(union: Any) -> Iterator[Any]:
    """The forms of a union, found through nested unions."""
    for member in [*union.get("oneOf", []), *union.get("anyOf", [])]:
        form = target(member) if "$ref" in member else member
        yield from forms(form) if form in UNIONS.values() else [form]


def overlap(one: Any, other: Any) -> bool:
    """Whether a value may fit both forms, for a client that knows types, required members and lists of values."""
    if types(one) != types(other):
        return False
    if "object" not in types(one):
        return True
    if have_different_tags(one, other):
        return False
    unknown_to_one = {*other.get("required", [])} - one["properties"].keys()
    unknown_to_other = {*one.get("required", [])} - other["properties"].keys()
    is_closed = [form.get("additionalProperties") is False for form in (one, other)]
    is_refused = (unknown_to_one and is_closed[0]) or (unknown_to_other and is_closed[1])
    return not is_refused and not (unknown_to_one and unknown_to_other)


def have_different_tags(one: Any, other: Any) -> bool:
    """Whether both forms have a list of values for the same member, no value in common, and one requires the member."""
    for name in one["properties"].keys() & other["properties"].keys() & {*TAGS}:
        values = [target(form["properties"][name]).get("enum", []) for form in (one, other)]
        is_required = name in [*one.get("required", []), *other.get("required", [])]
        if all(values) and is_required and not {*values[0]} & {*values[1]}:
            return True
    return False


@pytest.mark.parametrize("union", UNIONS)
def test_the_forms_of_a_union_do_not_overlap(union: str) -> None:
    """With the default settings most generators try every form, and take no notice of a discriminator."""
    each = [*forms(UNIONS[union])]
    assert [(one, other) for index, one in enumerate(each) for other in each[:index] if overlap(one, other)] == []


def test_no_name_is_reserved_in_a_language() -> None:
    reserved = {"Array", "Boolean", "Date", "Error", "Integer", "List", "Map", "Number", "Object", "Record", "Set"}
    assert {"String", "Type", "Union", *reserved} & SCHEMAS_OF_CONTRACT.keys() == set()


def test_a_token_is_demanded_only_where_it_is_needed() -> None:
    """openapi-python-client demands a token for every operation with a security of its own."""
    assert CONTRACT["security"] == [{}, {"bearerToken": []}]
    demanded = {name for name, operation in OPERATIONS.items() if operation.get("security")}
    table = {"resignGame", "undoMove", "requestClockwise", "claimTimeout", "handOverSeat"}
    assert demanded == {"makeMoves", "checkMoves", "deleteGame", "getAdvice", *table}
    assert "security" not in OPERATIONS["createGame"]
    assert "security" not in OPERATIONS["getGame"]


def test_no_boolean_is_constant() -> None:
    assert [path for path, schema in EVERY_SCHEMA if isinstance(schema.get("const"), bool)] == []


def test_every_pattern_is_valid_in_the_unicode_mode_of_javascript() -> None:
    """There a backslash precedes a special character or a class only."""
    escapes = [
        (path, each) for path, schema in EVERY_SCHEMA for each in re.findall(r"\\(.)", schema.get("pattern", ""))
    ]
    assert [escape for escape in escapes if escape[1] not in "dDwWsSu^$\\.*+?()[]{}|/"] == []


# Calls -------------------------------------------------------------------------------------------------------------


def test_operation_ids_are_valid_function_names() -> None:
    assert [name for name in OPERATIONS if not re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", name)] == []


def test_every_route_is_in_the_contract(app: Flask) -> None:
    served = {re.sub(r"<\w+:(\w+)>", r"{\1}", rule.rule) for rule in app.url_map.iter_rules()}
    assert served - CONTRACT["paths"].keys() == {
        "/",
        "/table/{digest}/{name}",
        "/docs",
        "/docs/changelog",
        "/docs/{digest}/{name}",
        "/openapi.json",
    }


def test_links_lead_from_creation_to_the_score() -> None:
    def after(operation: str, status: str) -> Any:
        return OPERATIONS[operation]["responses"][status]["links"]

    assert after("createGame", "201")["getGame"]["parameters"] == {"game_id": "$response.body#/id"}
    assert "listMoves" in after("getGame", "200")
    assert after("listMoves", "200")["makeMoves"]["requestBody"] == "$response.body#/moves/0"
    assert "getScore" in after("makeMoves", "200")
    for operation in OPERATIONS.values():
        for response in operation["responses"].values():
            for link in response.get("links", {}).values():
                assert link["operationId"] in OPERATIONS


# Errors ------------------------------------------------------------------------------------------------------------

RAISES = re.compile(
    r"""(?:Malformed|Unauthorized|Forbidden|PreconditionFailed|KeyReused|NothingToDecide|IllegalMove|illegal|InvalidRecord|ProblemError)\(\s*(?:\d+,\s*)?"([a-z-]+)\""""
)


def codes_raised() -> set[str]:
    """All problem codes in the source, except those of the rules."""
    folders = ("*.py", "api/**/*.py", "games/*.py", "store/*.py")
    sources = [path.read_text() for folder in folders for path in (ROOT / "service" / "lostcities").glob(folder)]
    return {code for source in sources for code in RAISES.findall(source)}


def test_the_contract_lists_exactly_the_codes_that_are_raised() -> None:
    of_games = {code for variant in VARIANTS.values() for code in variant.rules.INFO.rules}
    of_positions = {code for variant in VARIANTS.values() for code in variant.schema.invariants}
    of_werkzeug = {"method-not-allowed", "request-timeout"}
    of_stores = {StoreUnavailable.code, *(kind.code for kind in StoreUnavailable.__subclasses__())}
    known = {code for response in RESPONSES.values() for code in response.codes}
    assert known - of_games - of_positions - of_werkzeug - of_stores == codes_raised() - of_games - of_positions


def test_every_code_is_explained(api: Client) -> None:
    """By `GET /problems` and `GET /problems/{code}`; the `type` of a problem is this address."""
    codes = {code for response in RESPONSES.values() for code in response.codes} | {"not-found", "bad-request"}
    listed = api.get("/problems").body["problems"]
    assert [each["code"] for each in listed] == sorted(codes)
    for each in listed:
        shown = api.get(each["type"]).body
        assert {name: shown[name] for name in each} == each
        assert (shown["problem"]["type"], shown["problem"]["code"]) == (each["type"], each["code"])
        assert shown["problem"]["status"] in [meaning["status"] for meaning in each["meanings"]]
    assert api.get("/problems/not-known").code == "no-such-problem"


def test_every_status_of_a_code_is_explained() -> None:
    for response in RESPONSES.values():
        for code in response.codes:
            assert response.status in [meaning.status for meaning in CATALOGUE[code]], code


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_and_invariants_of_a_variant_are_explained_with_its_own_text(variant: str) -> None:
    for code, text in [*VARIANTS[variant].rules.INFO.rules.items(), *VARIANTS[variant].schema.invariants.items()]:
        assert text in [each.meaning for each in CATALOGUE[code] if variant in each.variants or not each.variants], code


def test_the_texts_about_problems_are_sentences() -> None:
    for code, meanings in CATALOGUE.items():
        for each in meanings:
            for sentence in (each.meaning, each.remedy):
                assert re.fullmatch(r"[A-Z`].{10,}\.", sentence), (code, sentence)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_contract_lists_every_invariant_of_the_rules(variant: str) -> None:
    (folder,) = import_module(VARIANTS[variant].package).__path__
    named = {
        node.args[0].value
        for module in (Path(folder, "rules.py"), Path(folder, "position.py"))
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("InvalidPosition", "InvalidOptions")
        and isinstance(node.args[0], ast.Constant)
    }
    assert named == VARIANTS[variant].schema.invariants.keys()


# Examples ----------------------------------------------------------------------------------------------------------


def test_the_examples_equal_the_responses_of_the_service(app: Flask) -> None:
    assert examples.text(examples.record(app)) == examples.FILE.read_text(), "run `make openapi`"


def value(example: Any) -> Any:
    """The value of an example, which may be shared."""
    if "$ref" in example:
        example = CONTRACT["components"]["examples"][example["$ref"].rsplit("/", 1)[1]]
    return example["value"]


def media(operation: Any) -> Iterator[tuple[str, Any]]:
    if "requestBody" in operation:
        yield "request", operation["requestBody"]["content"]["application/json"]
    for status, response in operation["responses"].items():
        for each in response.get("content", {}).values():
            yield status, each


EXAMPLES = [
    pytest.param(each["schema"], value(example), id=f"{where}-{part}-{name}")
    for where, operation in OPERATIONS.items()
    for part, each in media(operation)
    for name, example in each.get("examples", {}).items()
] + [
    pytest.param(each["schema"], value(example), id=f"{where}-{name}")
    for where, response in CONTRACT["components"]["responses"].items()
    for each in response["content"].values()
    for name, example in each.get("examples", {}).items()
]


@pytest.mark.parametrize(("schema", "value"), EXAMPLES)
def test_an_example_conforms_to_its_schema(schema: Any, value: Any) -> None:
    document = {**schema, "components": CONTRACT["components"]}
    jsonschema_rs.Draft202012Validator(document, validate_formats=True).validate(value)


def test_every_request_and_response_has_an_example() -> None:
    bare = [
        (name, part)
        for name, operation in OPERATIONS.items()
        for part, each in media(operation)
        if not each.get("examples") and name not in ("getMetrics", "getBoard")
    ]
    assert bare == []


def test_the_example_of_a_problem_has_one_of_its_codes() -> None:
    for name, response in CONTRACT["components"]["responses"].items():
        for example in response["content"]["application/problem+json"]["examples"].values():
            assert example["value"]["code"] in response["x-problem-codes"], name
            assert example["value"]["status"] == RESPONSES[name].status, name


def test_every_problem_has_an_example() -> None:
    responses = CONTRACT["components"]["responses"]
    without = [
        name for name, each in responses.items() if not each["content"]["application/problem+json"].get("examples")
    ]
    assert without == []


def test_no_two_examples_of_calls_have_the_same_value() -> None:
    in_place = [
        example
        for operation in OPERATIONS.values()
        for _, each in media(operation)
        for example in each.get("examples", {}).values()
        if "$ref" not in example
    ]
    values = [
        json.dumps(value(each), sort_keys=True) for each in [*in_place, *CONTRACT["components"]["examples"].values()]
    ]
    assert len(values) == len({*values})


@pytest.mark.parametrize(
    "operation",
    [
        *("createGame", "getGame", "listMoves", "makeMoves", "checkMoves", "getHistory", "streamEvents", "getScore"),
        *("getFairness", "getAdvice", "getRecord", "getVariant"),
    ],
)
def test_a_call_has_an_example_of_each_variant(operation: str) -> None:
    shown = [name for _, each in media(OPERATIONS[operation]) for name in each["examples"]]
    assert [variant for variant in VARIANTS if not any(name.startswith(variant) for name in shown)] == []


def test_the_examples_of_a_stream_are_streams() -> None:
    """The text of the response, whose last message is the end of the game."""
    examples_of_streams = [
        value(example) for _, each in media(OPERATIONS["streamEvents"]) for example in each["examples"].values()
    ]
    for text in examples_of_streams:
        *before, end = sse.messages(text.encode())
        assert [message.kind for message in before] == ["retry", "event", "event"]
        assert (end.kind, end.data) == ("end", {"reason": "finished"})
