"""Publishing into small and large channels, and starting up."""
import json
import os
import shutil
import subprocess

from building import build


def canonical(document):
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def blake3(paths):
    out = subprocess.run(["xargs", "-0", "b3sum", "--no-names"], input="\0".join(map(str, paths)), text=True,
                         capture_output=True, check=True)
    return out.stdout.split()


def large(shop, count, each=10):
    """A channel of that many releases, so many to a territory, all of one small layer whose blob they share."""
    path, small = shop.work / f"channel-{count}", shop.work / "small"
    if path.exists():
        return path
    if not small.exists():
        (shop.work / "note.txt").write_text("a note\n")
        (shop.work / "small.json").write_text(json.dumps({
            "id": "small", "display_name": "Small", "attribution": "nobody", "bbox": [9, 47, 10, 48],
            "data_timestamp": "2026-01-01T00:00:00Z", "layers": [{"kind": "note", "source": "note.txt"}]}))
        shop.run("build", shop.work / "small.json", "--version", "1.0.0", "--out", small)
    release = small / "small/1.0.0"
    manifest = json.loads((release / "manifest.json").read_text())
    blob = next(release.rglob("*.tar.zst"))
    territories, paths = [], []
    for number in range(count // each):
        # Boxes all over the world, so that the catalogue has something to draw.
        west, south = number * 37 % 350 - 175, number * 17 % 120 - 55
        name, place = f"t{number:05d}", {"bbox": [west, south, west + 4, south + 3], "display_name": f"Territory {number}"}
        versions = []
        for minor in reversed(range(each)):
            version = f"1.{minor}.0"
            directory = path / f"territories/{name}/{version}"
            target = directory / blob.relative_to(release)
            target.parent.mkdir(parents=True)
            os.link(blob, target)
            (directory / "manifest.json").write_bytes(canonical(
                manifest | place | {"territory_id": name, "version": version}))
            paths.append(directory / "manifest.json")
            versions.append({
                "version": version, "data_timestamp": manifest["data_timestamp"],
                "manifest_path": f"territories/{name}/{version}/manifest.json", "manifest_blake3": "",
                "total_bytes": manifest["total_bytes"], "download_bytes": manifest["download_bytes"]})
        territories.append(place | {"id": name, "latest_version": f"1.{each - 1}.0", "versions": versions})
    entries = [version for territory in territories for version in territory["versions"]]
    for entry, digest in zip(entries, blake3(paths)):
        entry["manifest_blake3"] = digest
    for start in range(0, len(paths), 1_000):
        shop.run("sign", *paths[start:start + 1_000], "--key", shop.key)
    (path / "index.json").write_bytes(canonical({
        "type": "channel-index", "format": 1, "channel": "main", "sequence": 1,
        "published_at": "2026-01-02T00:00:00Z", "territories": territories}))
    shop.run("sign", path / "index.json", "--key", shop.key)
    (path / "index.signed").write_bytes((path / "index.json.sig").read_bytes() + b"\n" + (path / "index.json").read_bytes())
    return path


def publish(shop):
    """One territory of five layers is new in a channel of ten releases, and of ten thousand."""
    release = shop.work / "published/bench/1.0.0"
    if not release.exists():
        shop.run(*build(shop, "published", "1.0.0", "--level", "3")[1:])
        shop.run("sign", release, "--key", shop.key)
    kept = shop.fresh("indices")

    def contender(count):
        channel = large(shop, count)
        for name in ("index.json", "index.json.sig", "index.signed"):
            shutil.copy(channel / name, kept / f"{count}-{name}")

        def restore():
            shutil.rmtree(channel / "territories/bench", ignore_errors=True)
            for name in ("index.json", "index.json.sig", "index.signed"):
                shutil.copy(kept / f"{count}-{name}", channel / name)

        return {"name": f"snpack publish into {count:,}", "prepare": restore,
                "run": [shop.snpack, "publish", release, "--channel", channel, "--key", shop.key, "--adopt", "--state",
                        kept / f"state-{count}", "--quiet"]}

    return [contender(10_000), contender(10)]


def start_up(shop):
    return [{"name": "snpack --version", "run": [shop.snpack, "--version"]},
            {"name": "zstd --version", "run": ["zstd", "--version"]}]


def tasks(shop):
    return {"publish": lambda: publish(shop), "start-up": lambda: start_up(shop)}
