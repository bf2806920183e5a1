"""Building a release: the first time, again, and with one layer changed."""
import shutil
from shlex import quote


def size(path):
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def script(shop, out, level):
    """What a careful script does: an archive of each layer, BLAKE3 of all files and archives, a signature."""
    lines = []
    for source in shop.sources:
        lines.append(
            f"tar --sort=name -C {quote(str(source.parent))} -cf - {quote(source.name)} "
            f"| zstd -q -{level} -T0 -o {quote(str(out / source.name))}.tar.zst")
    paths = " ".join(quote(str(source)) for source in shop.sources)
    lines.append(f"find {paths} {quote(str(out))} -type f -print0 | LC_ALL=C sort -z | xargs -0 b3sum > {out}/sums")
    lines.append(f"openssl genpkey -algorithm ed25519 -out {out}/key && "
                 f"openssl pkeyutl -sign -rawin -inkey {out}/key -in {out}/sums -out {out}/sums.sig")
    return "\n".join(lines)


def build(shop, name, version="1.0.0", *options):
    return [shop.snpack, "build", shop.definition, "--version", version, "--out", shop.work / name, "--quiet", *options]


def first(shop, level, options):
    release, archives = shop.work / "first", shop.work / "archives"
    return [
        {"name": "snpack build", "prepare": lambda: shop.fresh("first"), "bytes": lambda: size(release),
         "run": build(shop, "first", "1.0.0", "--no-cache", *options)},
        {"name": f"tar, zstd -{level} -T0, b3sum, openssl", "prepare": lambda: shop.fresh("archives"),
         "bytes": lambda: sum(file.stat().st_size for file in archives.glob("*.tar.zst")),
         "run": script(shop, archives, level)},
    ]


def others(shop):
    """Who else keeps versions of directories by content."""
    chunks, repository = shop.work / "chunks", shop.work / "repository"

    def made():
        shop.fresh("repository")
        shutil.rmtree(repository)

    sources = " ".join(quote(str(source)) for source in shop.sources)
    return [
        first(shop, 3, ["--level", "3"])[0],
        {"name": "casync make", "needs": "casync", "prepare": lambda: shop.fresh("chunks"), "bytes": lambda: size(chunks),
         "run": f"mkdir {chunks}/store; for source in {sources}; do "
                f"if [ -d $source ]; then to=caidx; else to=caibx; fi; "
                f"casync make --store={chunks}/store {chunks}/$(basename $source).$to $source; done"},
        {"name": "ostree commit", "needs": "ostree", "prepare": made, "bytes": lambda: size(repository),
         "run": f"ostree init --repo={repository} --mode=archive; mkdir {repository}/in; for source in {sources}; do "
                f"cp -al $source {repository}/in/ 2>/dev/null || cp -a $source {repository}/in/; done; "
                f"ostree commit --repo={repository} --branch=bench {repository}/in; rm -r {repository}/in"},
    ]


def again(shop):
    """Nothing has changed since the first build, whose time is the other figure."""
    shop.fresh("again")
    shop.run(*build(shop, "again", "1.0.0", "--level", "3")[1:])
    return [
        {"name": "snpack build, nothing changed", "run": build(shop, "again", "1.0.0", "--level", "3")},
        first(shop, 3, ["--level", "3"])[0],
    ]


def one_of_five(shop):
    """The map tiles are new; the cache knows the other layers."""
    cache, kept = shop.work / "cache", shop.work / "cache-kept"
    shop.fresh("again")
    shop.run(*build(shop, "again", "1.0.0", "--level", "3")[1:])
    shutil.copytree(cache, kept, dirs_exist_ok=True)

    def forget():
        shutil.rmtree(cache)
        shutil.copytree(kept, cache)

    changed = f"pmtiles={shop.layers}/v2/map.pmtiles"
    return [
        {"name": "snpack build, one of five changed", "prepare": forget,
         "run": build(shop, "again", "1.1.0", "--level", "3", "--layer", changed)},
        first(shop, 3, ["--level", "3"])[1],
    ]


def tasks(shop):
    return {
        "build-3": lambda: first(shop, 3, ["--level", "3"]),
        "build-default": lambda: first(shop, 9, []),
        "build-others": lambda: others(shop),
        "build-again": lambda: again(shop),
        "build-one-of-five": lambda: one_of_five(shop),
    }
