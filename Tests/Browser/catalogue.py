#!/usr/bin/env python3
"""Looks at a channel's catalogue in Chromium as people do, from file: and from a web server.

    Tests/Browser/catalogue.py CHANNEL KEY.pub EXPIRED-CHANNEL [PICTURES]

CHANNEL lists liechtenstein (1.0.0 withdrawn with the reason HOSTILE, 1.1.0), evil (named HOSTILE) and fiji, which crosses the
antimeridian. Prints "ok" and what holds, a line each; ends with status 1 at the first thing that does not. With PICTURES,
a directory, leaves screenshots there.
"""
import functools
import http.server
import json
import pathlib
import shutil
import sys
import tempfile
import threading

from chromium import Chromium

HOSTILE = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script> 'עברית' & \\u003c"
channel, public, expired = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).read_text().strip(), sys.argv[3]
pictures = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
index = json.loads((channel / "index.json").read_text())
file_url = f"file://{channel}/index.html"


def holds(claim, fact):
    if not fact:
        sys.exit(f"catalogue: not so: {claim}")
    print("ok", claim)


def equal(claim, found, wanted):
    if found != wanted:
        sys.exit(f"catalogue: {claim}: found {found!r}, wanted {wanted!r}")
    print("ok", claim)


def text(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? null")


def names(page):
    return page.evaluate("[...document.querySelectorAll('#list .name')].map(name => name.textContent)")


def search(page, words):
    page.evaluate(f"search = document.getElementById('search'), search.value = {json.dumps(words)}, "
                  "search.dispatchEvent(new Event('input')), 0")
    return names(page)


def verdict(page):
    page.wait("document.querySelector('#verdict p')")
    return page.evaluate("[...document.querySelectorAll('#verdict p')].map(line => line.className + ' ' + line.textContent)")


def ready(page, url):
    page.open(url)
    page.wait("document.querySelector('#count').textContent")


def content(page):
    ready(page, file_url)
    shown = {territory["id"]: territory["display_name"] for territory in index["territories"]}
    equal("every territory is listed by its name", names(page), list(shown.values()))
    equal("the count is told", text(page, "#count"), f"{len(shown)} territories")
    equal("a name is text, whatever is in it", shown["evil"], HOSTILE)
    equal("nothing in it ran", page.evaluate("document.title"), "Offline map territories · main")
    equal("and nothing of it became an element", page.evaluate("document.querySelectorAll('img, #list script').length"), 0)
    for summary in range(len(shown)):
        page.evaluate(f"document.querySelectorAll('summary')[{summary}].click()")
    page.wait(f"document.querySelectorAll('#list table').length === {len(shown)}")
    rows = page.evaluate("""[...document.querySelectorAll('#list table')].map(table =>
        [...table.querySelectorAll('tbody tr')].map(row => [...row.children].map(cell => cell.textContent)))""")
    for territory, table in zip(index["territories"], rows):
        equal(f"the versions of {territory['id']}, with dates and reasons",
              [(row[0], row[1], row[4]) for row in table],
              [(version["version"], version["data_timestamp"][:10],
                f"withdrawn {version['yanked']}" if "yanked" in version
                else "latest" if version["version"] == territory["latest_version"] else "")
               for version in territory["versions"]])
    holds("sizes on the wire and on disk are told", all(row[2].split()[1] == "B" and row[3] == "40 kB" for row in rows[1]))
    holds("the attribution is told", "nobody" in text(page, "#list .more-about"))
    command = text(page, "#list .command code")
    equal("the install command names this directory", command,
          f"snpack store install {channel} evil --root maps --factory-key factory.pub")
    holds("the key's id is told", page.evaluate("/^[0-9a-f]{16}$/.test(document.getElementById('signers').textContent)"))
    equal("an area across the antimeridian is drawn on both sides of the world",
          page.evaluate("document.querySelectorAll('#world .area').length"), 2)
    quiet(page, [file_url])


def quiet(page, urls):
    equal("nothing was said on the console", page.messages, [])
    equal("nothing else was asked for", sorted({url for url in page.requests if not url.startswith("data:")}), sorted(urls))


def searching(page):
    ready(page, file_url)
    equal("a part of a name finds it, whatever the case", search(page, "LIECHT"), ["Liechtenstein"])
    equal("so does a point in the area", search(page, "47.1, 9.5"), ["Liechtenstein"])
    equal("a point beyond the antimeridian, too", search(page, "-17 -179.9"), ["Fidži"])
    equal("accents need not be typed", search(page, "fidzi"), ["Fidži"])
    equal("nothing found is said", (search(page, "atlantis"), text(page, "#list")), ([], "No territory fits."))
    page.evaluate("""(() => { const box = document.getElementById('world').getBoundingClientRect();
        document.getElementById('world').dispatchEvent(new MouseEvent('click', { bubbles: true,
          clientX: box.x + box.width * (1800 + 95.5) / 3600, clientY: box.y + box.height * (810 - 471.5) / 1410 })) })()""")
    equal("a click on the map of the world finds what lies there", names(page), ["Liechtenstein"])
    quiet(page, [file_url])


def checking(page, work):
    other = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    ready(page, f"{file_url}#key={public}")
    found = verdict(page)
    holds("the key in the address verifies the list", len(found) == 1 and found[0].startswith("good ✓ This key signed"))
    ready(page, f"{file_url}#key={other}")
    holds("another key does not", verdict(page)[0].startswith("bad ✗ This key did not sign"))
    page.evaluate("document.getElementById('key').value = 'abc', document.getElementById('check').requestSubmit()")
    equal("what is no key is told", verdict(page), ["bad ✗ A public key is 64 hexadecimal digits."])
    equal("and marked for screen readers", page.evaluate("document.getElementById('key').ariaInvalid"), "true")

    page.evaluate(f"document.getElementById('key').value = '{public}'")
    signed = (channel / "index.signed").read_bytes()
    damaged = work / "damaged.signed"
    damaged.write_bytes(signed.replace(b"2026", b"2027", 1))
    page.choose_file("#file", damaged)
    equal("a damaged file is told", verdict(page), ["bad ✗ damaged.signed is damaged, or was not signed by this key."])
    page.evaluate("document.getElementById('verdict').replaceChildren()")
    page.choose_file("#file", channel / "index.signed")
    equal("a good one too", verdict(page), ["good ✓ index.signed is intact: the same as on this page."])
    quiet(page, [file_url])

    copy = work / "damaged.html"
    copy.write_bytes((channel / "index.html").read_bytes().replace(b"Liechtenstein", b"Liechtenstien"))
    ready(page, f"file://{copy}#key={public}")
    holds("a damaged page is told", verdict(page)[0].startswith("bad ✗ This key did not sign the list on this page."))
    equal("with what it shows", names(page)[-1], "Liechtenstien")


def served(page, work):
    site = work / "site"
    shutil.copytree(channel, site)
    handler = functools.partial(Quiet, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    try:
        ready(page, f"{url}#key={public}")
        page.wait("document.querySelectorAll('#verdict p').length === 2")
        equal("over http the server's index is checked, too", verdict(page)[1],
              "good ✓ The server's index.signed is intact: the same as on this page.")
        page.evaluate("document.querySelector('summary').click()")
        page.wait("document.querySelector('.command')")
        holds("the install command names the URL", f" {url[:-1]} evil " in text(page, ".command code"))
        quiet(page, [url + hash for hash in [""]] + [f"{url}index.signed"])
        (site / "index.signed").write_bytes((channel / "index.signed").read_bytes().replace(b"2026", b"2027", 1))
        ready(page, f"{url}?again#key={public}")
        page.wait("document.querySelectorAll('#verdict p').length === 2")
        equal("a damaged index on the server is told", verdict(page)[1],
              "bad ✗ The server's index.signed is damaged, or was not signed by this key.")
    finally:
        server.shutdown()
        server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgb = colour => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const clear = colour => colour === 'rgba(0, 0, 0, 0)' || colour === 'transparent';
  const light = colour => rgb(colour).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [.2126, .7152, .0722][at], 0);
  const faults = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest('script, style, noscript, title') || !node.checkVisibility()) continue;
    let behind = node;
    while (behind && clear(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const pair = [light(getComputedStyle(node).color), light(getComputedStyle(behind).backgroundColor)].sort((a, b) => b - a);
    const ratio = (pair[0] + .05) / (pair[1] + .05);
    count += 1;
    if (ratio < 4.5) faults.push(`${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 40)}`);
  }
  return { count, faults };
})()"""


def looking(page):
    for name, width, dark in (("light", 1100, False), ("dark", 1100, True), ("phone-light", 360, False), ("phone-dark", 360, True)):
        page.look(width, 900, dark, mobile=width < 500)
        ready(page, f"{file_url}#key={public}")
        page.evaluate("document.querySelectorAll('summary').forEach(summary => summary.click()), 0")
        page.wait("document.querySelector('#list table')")
        verdict(page)
        found = page.evaluate(CONTRAST)
        equal(f"{name}: all text has a contrast of 4.5 or more", found["faults"], [])
        holds(f"{name}: that was measured", found["count"] > 60)
        equal(f"{name}: nothing is wider than the window",
              page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        if pictures:
            page.screenshot(pictures / f"{name}.png", whole=True)
    page.look()


def by_keyboard(page):
    ready(page, file_url)
    order = []
    for _ in range(30):
        page.press("Tab")
        order.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.slice(0, 12) || "
                                   "document.activeElement.localName"))
        if order[-1] == "index.signed":
            break
    wanted = ["Skip to the ", "search"] + [None] * len(index["territories"]) + ["key", "Check", "file"]
    equal("Tab goes through search, territories and check, in this order",
          [word if wanted[at] else None for at, word in enumerate(order[:len(wanted)])], wanted)
    page.evaluate("document.querySelector('summary').focus()")
    holds("what has the focus is marked", page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2)
    page.press("Enter", text="\r")
    page.wait("document.querySelector('details').open && document.querySelector('.command')")
    page.press("Tab")
    holds("Enter opens a territory, and Tab goes into it",
          page.evaluate("document.activeElement.ariaLabel").startswith("Copy the command that installs"))


def for_screen_readers(page):
    ready(page, file_url)
    page.evaluate("document.querySelector('summary').click()")
    page.wait("document.querySelector('#list table')")
    page.call("Accessibility.enable")
    nodes = [node for node in page.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    role = lambda node: node.get("role", {}).get("value")  # noqa: E731
    name = lambda node: node.get("name", {}).get("value", "").strip()  # noqa: E731
    roles = [role(node) for node in nodes]
    for landmark in ("main", "banner", "contentinfo"):
        equal(f"there is one {landmark}", roles.count(landmark), 1)
    active = {"button", "link", "textbox", "searchbox", "image", "DisclosureTriangle", "table", "form"}
    equal("everything that acts or shows has a name",
          [role(node) for node in nodes if role(node) in active - {"form"} and not name(node)], [])
    holds("there are such", len([one for one in roles if one in active]) > 10)
    equal("one heading of the first level", page.evaluate("document.querySelectorAll('h1').length"), 1)
    holds("news is spoken", roles.count("status") >= 2)
    page.call("Accessibility.disable")


def expiry(page):
    ready(page, f"file://{pathlib.Path(expired).resolve()}/index.html")
    holds("an expired index is told", (text(page, "#notice") or "").startswith("This index expired on "))
    ready(page, file_url)
    equal("a fresh one says nothing", page.evaluate("document.getElementById('notice').hidden"), True)


with tempfile.TemporaryDirectory() as directory, Chromium() as browser:
    work = pathlib.Path(directory)
    browser.look()
    content(browser)
    searching(browser)
    checking(browser, work)
    served(browser, work)
    by_keyboard(browser)
    for_screen_readers(browser)
    expiry(browser)
    looking(browser)
