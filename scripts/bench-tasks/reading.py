"""Verifying a channel, and what a client does with it."""
import os
import shutil
from shlex import quote

from building import build


def channel(shop):
    """A signed channel of two versions, the second with patches; made once."""
    path = shop.work / "channel"
    if not path.exists():
        for version, options in (("1.0.0", []), ("1.1.0", [
            "--layer", f"valhalla-tiles={shop.layers}/v2/valhalla", "--layer", f"pmtiles={shop.layers}/v2/map.pmtiles",
            "--patch-from", shop.work / "releases/bench/1.0.0",
        ])):
            shop.run(*build(shop, "releases", version, "--level", "3", *options)[1:])
            release = shop.work / f"releases/bench/{version}"
            shop.run("sign", release, "--key", shop.key)
            shop.run("publish", release, "--channel", path, "--key", shop.key)
    return path


def installed(shop, version="1.0.0", name="store"):
    store = shop.work / name
    if not store.exists():
        shop.run(*install(shop, store, version)[1:])
    return store


def install(shop, store, version):
    return [shop.snpack, "store", "install", channel(shop), f"bench@{version}", "--root", store, "--factory-key",
            shop.public, "--quiet"]


def blobs(shop, version):
    return sorted((channel(shop) / f"territories/bench/{version}/layers").rglob("*.tar.zst"))


def shallow(shop):
    path = channel(shop)
    pem = shop.work / "factory.pem"
    key = bytes.fromhex("302a300506032b6570032100") + bytes.fromhex(shop.public.read_text().strip())
    (shop.work / "factory.der").write_bytes(key)
    signature = shop.work / "index.bin"
    return [
        {"name": "snpack verify --shallow",
         "run": [shop.snpack, "verify", path, "--factory-key", shop.public, "--shallow", "--quiet"]},
        {"name": "openssl, one signature",
         "run": f"openssl pkey -pubin -inform DER -in {shop.work}/factory.der -out {pem}; "
                f"base64 -d {path}/index.json.sig > {signature}; "
                f"openssl pkeyutl -verify -rawin -pubin -inkey {pem} -in {path}/index.json -sigfile {signature}"},
    ]


def deep(shop):
    release = shop.work / "releases/bench/1.0.0"
    files = [quote(str(blob)) for blob in blobs(shop, "1.0.0")]
    return [
        {"name": "snpack verify", "run": [shop.snpack, "verify", release, "--factory-key", shop.public, "--quiet"]},
        {"name": "b3sum; zstd -dc, b3sum",
         "run": "\n".join([f"b3sum {' '.join(files)}"] + [f"zstd -qdc {file} | b3sum" for file in files])},
    ]


def installing(shop):
    files, out, store = blobs(shop, "1.0.0"), shop.work / "plain", shop.work / "new-store"
    return [
        {"name": "snpack store install", "prepare": lambda: shutil.rmtree(store, ignore_errors=True),
         "run": install(shop, store, "1.0.0")},
        {"name": "zstd -d, tar x, sync, b3sum", "prepare": lambda: shop.fresh("plain"),
         "run": "\n".join([f"zstd -qdc {quote(str(file))} | tar -xf - -C {out}" for file in files]
                          + [f"sync -f {out}", f"find {out} -type f -print0 | xargs -0 b3sum"])},
    ]


def update(shop):
    """By patches, from a store that is linked anew for each run: neither side writes into files that are there."""
    old, store = installed(shop), shop.work / "update-store"
    tree, new = shop.work / "update-tree", shop.work / "update-new"
    shop.fresh("update-new")
    shop.run("unpack", shop.work / "releases/bench/1.1.0", "-o", new / "bench", "--factory-key", shop.public)
    shop.fresh("update-old")
    shop.run("unpack", shop.work / "releases/bench/1.0.0", "-o", shop.work / "update-old/bench", "--factory-key", shop.public)
    return [
        {"name": "snpack store sync", "prepare": lambda: relink(old, store),
         "run": [shop.snpack, "store", "sync", channel(shop), "bench", "--root", store, "--factory-key", shop.public,
                 "--quiet"]},
        {"name": "rsync --no-whole-file, sync", "needs": "rsync",
         "prepare": lambda: relink(shop.work / "update-old", tree),
         "run": f"rsync -rc --no-whole-file --delete {new}/ {tree}/; sync -f {tree}"},
    ]


def relink(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, copy_function=link, symlinks=True)


def link(source, target):
    os.link(source, target, follow_symlinks=False)


def repair(shop):
    """One byte of the largest file is wrong."""
    old, store = installed(shop), shop.work / "repair-store"
    tree = shop.work / "repair-tree"
    whole = shop.work / "repair-whole"
    if not whole.exists():
        shop.run("unpack", shop.work / "releases/bench/1.0.0", "-o", whole, "--factory-key", shop.public)

    def damage(source, target):
        relink(source, target)
        file = next(path for path in target.rglob("map.pmtiles"))
        copy = file.with_name("copy")
        shutil.copyfile(file, copy)
        with copy.open("r+b") as data:
            data.seek(copy.stat().st_size // 2)
            byte = data.read(1)[0]
            data.seek(-1, os.SEEK_CUR)
            data.write(bytes([byte ^ 1]))
        copy.rename(file)

    return [
        {"name": "snpack store repair", "prepare": lambda: damage(old, store),
         "run": [shop.snpack, "store", "repair", "bench", channel(shop), "--root", store, "--factory-key", shop.public,
                 "--quiet"]},
        {"name": "rsync -c, sync", "needs": "rsync", "prepare": lambda: damage(whole, tree),
         "run": f"rsync -rc {whole}/ {tree}/; sync -f {tree}"},
        {"name": "cp, sync", "prepare": lambda: shop.fresh("copied"),
         "run": f"cp -r {whole} {shop.work}/copied/; sync -f {shop.work}/copied"},
    ]


def tasks(shop):
    return {
        "verify-shallow": lambda: shallow(shop),
        "verify-deep": lambda: deep(shop),
        "install": lambda: installing(shop),
        "sync": lambda: update(shop),
        "repair": lambda: repair(shop),
    }
