"""Names every public symbol of the symbol graphs given that says nothing of itself, and every one that throws and does
not say what. Ends with 1 if there is one."""

import json
import pathlib
import sys
import urllib.parse


def faults(graph):
    for symbol in graph["symbols"]:
        text = " ".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
        throws = any(part["spelling"] == "throws" for part in symbol["declarationFragments"])
        if not text.strip():
            yield symbol, "has no documentation"
        elif throws and "hrows" not in text:
            yield symbol, "does not say what it throws"


def place(symbol):
    location = symbol.get("location", {})
    path = urllib.parse.unquote(urllib.parse.urlparse(location.get("uri", "")).path)
    if pathlib.Path(path).is_relative_to(pathlib.Path.cwd()):
        path = pathlib.Path(path).relative_to(pathlib.Path.cwd())
    return f"{path}:{location.get('position', {}).get('line', 0) + 1}"


symbol_count = 0
found = []
for name in sys.argv[1:]:
    graph = json.loads(pathlib.Path(name).read_text())
    symbol_count += len(graph["symbols"])
    found += [f"{place(symbol)}: {'.'.join(symbol['pathComponents'])} {fault}" for symbol, fault in faults(graph)]
for line in sorted(found):
    print(line, file=sys.stderr)
if not symbol_count:
    sys.exit("documentation: no public symbol at all: is the list of modules right?")
print(f"documentation: {symbol_count} public symbols, {len(found)} faults")
sys.exit(bool(found))
