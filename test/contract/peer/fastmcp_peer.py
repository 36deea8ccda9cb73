"""Serve some operations of a description with FastMCP.from_openapi, as its documentation shows.

Standard input is one JSON object: file, url, headers, query, operations ([[method, path], ...]), port.
"""

import json
import sys
from pathlib import Path

import httpx2
import yaml
from fastmcp import FastMCP

METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}


def read(path):
    """A description as its author wrote it; days stay texts."""
    text = Path(path).read_text(encoding="utf-8")
    if path.endswith(".json"):
        return json.loads(text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(loader):
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:timestamp"]
        for first, rules in loader.yaml_implicit_resolvers.items()
    }
    return yaml.load(text, Loader)


def only(spec, wanted):
    """The description with these operations alone."""
    paths = {}
    for path, item in spec["paths"].items():
        kept = {key: value for key, value in item.items() if key not in METHODS or (key, path) in wanted}
        if any(key in METHODS for key in kept) or "$ref" in item:
            paths[path] = kept
    return {**spec, "paths": paths}


task = json.load(sys.stdin)
spec = only(read(task["file"]), {(method.lower(), path) for method, path in task["operations"]})
client = httpx2.AsyncClient(
    base_url=task["url"], headers=task["headers"], params=task["query"], timeout=task["patience"]
)
server = FastMCP.from_openapi(openapi_spec=spec, client=client, name="peer")
server.run(transport="http", host="127.0.0.1", port=task["port"], show_banner=False, log_level="ERROR")
