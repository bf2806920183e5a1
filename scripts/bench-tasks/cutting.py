"""Cutting regions: a tenth of a large archive, and a hundred regions in one pass."""
import importlib.machinery
import importlib.util
import json
import math
import pathlib
import struct
import subprocess
from shlex import quote

from building import build, size

loader = importlib.machinery.SourceFileLoader("grown", str(pathlib.Path(__file__).with_name("layers")))
grown = importlib.util.module_from_spec(importlib.util.spec_from_loader("grown", loader))
loader.exec_module(grown)
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "Tests/Fixtures/liechtenstein/v1"


def country(shop):
    """A signed release of the bench's layers; made once."""
    release = shop.work / "country/bench/1.0.0"
    if not release.exists():
        shop.run(*build(shop, "country", "1.0.0", "--level", "3")[1:])
        shop.run("sign", release, "--key", shop.key)
    return release


def sample(shop):
    """The same of the sample's own layers."""
    release = shop.work / "sample/bench/1.0.0"
    if not release.exists():
        shop.run(*build(shop, "sample", "1.0.0", "--layer", f"valhalla-tiles={SAMPLE}/valhalla", "--layer",
                        f"pmtiles={SAMPLE}/pmtiles/liechtenstein.pmtiles")[1:])
        shop.run("sign", release, "--key", shop.key)
    return release


def cut(shop, release, out, *area):
    return [shop.snpack, "cut", release, "--factory-key", shop.public, "--out", out, "--quiet", *area]


def bounds(archive):
    """What an archive's header says: west, south, east, north."""
    with open(archive, "rb") as file:
        return [number / 1e7 for number in struct.unpack_from("<4i", file.read(127), 102)]


def box_text(box):
    return ",".join(f"{number:.7f}" for number in box)


MAP_ALONE = ["--name", "Tenth"] + [word for kind in ("valhalla-tiles", "geocode-index", "style", "poi-sidecar")
                                   for word in ("--omit", kind)]


def tenth_of(shop, release, archive):
    """The box around the archive's middle whose cut has a tenth of its bytes, as dry runs tell."""
    west, south, east, north = bounds(archive)
    low, high = 0.0, 1.0
    for _ in range(16):
        share = (low + high) / 2
        x, y, dx, dy = (west + east) / 2, (south + north) / 2, (east - west) / 2 * share, (north - south) / 2 * share
        box = box_text((x - dx, y - dy, x + dx, y + dy))
        words = cut(shop, release, shop.work / "dry", f"--bbox={box}", *MAP_ALONE, "--dry-run", "--json")
        words.remove("--quiet")
        told = subprocess.run([str(word) for word in words], capture_output=True, check=True).stdout
        found = sum(layer["bytes"] for layer in json.loads(told)["regions"][0]["layers"])
        if abs(found / archive.stat().st_size - 0.1) < 0.001:
            break
        low, high = (share, high) if found < archive.stat().st_size / 10 else (low, share)
    return box


def tenth(shop):
    release, archive = country(shop), shop.layers / "v1/map.pmtiles"
    box, out, copy = tenth_of(shop, release, archive), shop.work / "tenth", shop.work / "copy"
    words = cut(shop, release, out, f"--bbox={box}", *MAP_ALONE)
    shop.fresh("tenth")
    shop.run(*words[1:])
    kept = shop.work / "kept"
    next(out.rglob("*.tar.zst")).rename(kept)
    with open(archive, "rb") as file:
        directories, = struct.unpack_from("<Q", file.read(127), 56)
    # The same bytes out of the page cache, written as one file: what no cut can do without.
    plain = f"head -c {directories} {quote(str(archive))} >/dev/null; dd if={kept} of={copy} bs=1M status=none"
    return [
        {"name": "snpack cut, a tenth", "prepare": lambda: shop.fresh("tenth"), "bytes": lambda: size(out), "run": words},
        {"name": "copy of the bytes, flushed", "prepare": lambda: copy.unlink(missing_ok=True),
         "bytes": lambda: copy.stat().st_size, "run": f"{plain} conv=fsync"},
        {"name": "copy of the bytes, not flushed", "prepare": lambda: copy.unlink(missing_ok=True),
         "bytes": lambda: copy.stat().st_size, "run": plain},
    ]


def boxes_of(archive):
    """Ten by ten boxes over the sample's bounds, or, of a grown archive, a box around every hundredth of its tiles."""
    west, south, east, north = bounds(archive)
    if archive.is_relative_to(SAMPLE):
        dx, dy = (east - west) / 10, (north - south) / 10
        return [(west + dx * (x + 0.1), south + dy * (y + 0.1), west + dx * (x + 0.9), south + dy * (y + 0.9))
                for x in range(10) for y in range(10)]
    with open(archive, "rb") as file:
        count, = struct.unpack_from("<Q", file.read(127), 72)
    first = grown.first_tile()
    base = (4 ** grown.ZOOM - 1) // 3
    side, boxes = 1 << grown.ZOOM, []
    for number in range(100):
        x, y = grown.position(first + count * (2 * number + 1) // 200 - base)
        edges = [math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * row / side)))) for row in (y + 6, y - 5)]
        boxes.append(((x - 5) / side * 360 - 180, edges[0], (x + 6) / side * 360 - 180, edges[1]))
    return boxes


def batch(shop, name, release, archive):
    """A hundred regions at once, and one after the other."""
    boxes = [[round(number, 7) for number in box] for box in boxes_of(archive)]
    features = [
        {"type": "Feature", "properties": {"name": f"Box {number}"}, "geometry": {"type": "Polygon", "coordinates": [
            [[w, s], [e, s], [e, n], [w, n], [w, s]]]}} for number, (w, s, e, n) in enumerate(boxes)]
    areas, out, singles = shop.work / f"{name}.geojson", shop.work / f"{name}-batch", shop.work / f"{name}-singles"
    areas.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    one = " ".join(quote(str(word)) for word in cut(shop, release, singles))
    return [
        {"name": f"snpack cut --areas, {len(boxes)} regions", "prepare": lambda: shop.fresh(out.name),
         "bytes": lambda: size(out), "run": cut(shop, release, out, "--areas", areas)},
        {"name": f"{len(boxes)} × snpack cut", "prepare": lambda: shop.fresh(singles.name), "bytes": lambda: size(singles),
         "run": "\n".join(f"{one} --bbox={box_text(box)} --name 'Box {number}'" for number, box in enumerate(boxes))},
    ]


def tasks(shop):
    return {
        "cut-tenth": lambda: tenth(shop),
        "cut-batch-sample": lambda: batch(shop, "sample", sample(shop), SAMPLE / "pmtiles/liechtenstein.pmtiles"),
        "cut-batch": lambda: batch(shop, "country", country(shop), shop.layers / "v1/map.pmtiles"),
    }
