"""Checks that every example of the documents given, in OpenAPI 3.0, is what the schema beside it says."""

import json
import sys

from openapi_schema_validator import OAS30Validator, oas30_format_checker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

DOCUMENT = "urn:document"


def absolute(value):
    """The same with references that name the document."""
    if isinstance(value, dict):
        at = lambda name, inner: DOCUMENT + inner if name == "$ref" else absolute(inner)
        return {name: at(name, inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [absolute(inner) for inner in value]
    return value


def shown(value, place=""):
    """Each place with a schema and an example of it."""
    if isinstance(value, dict):
        if "schema" in value and "example" in value:
            yield place, value["schema"], value["example"]
        elif "example" in value and ("type" in value or "allOf" in value):
            yield place, {name: inner for name, inner in value.items() if name != "example"}, value["example"]
        for name, inner in value.items():
            if name not in ("example", "examples"):
                yield from shown(inner, f"{place}/{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from shown(inner, f"{place}/{number}")


wrong = 0
for path in sys.argv[1:]:
    with open(path) as file:
        document = absolute(json.load(file))
    resource = Resource(contents=document, specification=DRAFT202012)
    registry = Registry().with_resource(DOCUMENT, resource)
    count = 0
    for place, schema, example in shown(document):
        count += 1
        validator = OAS30Validator(schema, registry=registry, format_checker=oas30_format_checker)
        for error in validator.iter_errors(example):
            wrong += 1
            print(f"{path} {place}: {error.message[:200]}")
    print(f"{path}: {count} examples")
    wrong += count < 100
sys.exit(1 if wrong else 0)
