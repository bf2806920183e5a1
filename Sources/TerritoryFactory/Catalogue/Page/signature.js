
// The head of the page, and the check of the index's signature.

const keyField = document.getElementById("key");
const verdict = document.getElementById("verdict");
const hex = /^[0-9a-f]{64}$/;

function showFacts() {
  const facts = [
    ["Territories", carried.length.toLocaleString("en")],
    ["Versions", (index.territories.reduce((sum, { versions }) => sum + versions.length, 0) - absent.size).toLocaleString("en")],
    ["Sequence", String(index.sequence)], ["Signed", day(index.published_at)],
  ];
  if (index.expires_at) facts.push(["Good until", day(index.expires_at)]);
  document.getElementById("facts").append(...facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  document.getElementById("signers").append(element("code", {}, details.key_ids.join(", ")));
  document.getElementById("verify-command").textContent = `snpack verify ${shellWord(source)} ${keyOption}`;
}

/** What the clock says about the index, as clients judge it. */
function showFreshness(now = Date.now()) {
  const notice = document.getElementById("notice");
  const say = words => {
    notice.append(element("span", {}, words));
    notice.hidden = false;
  };
  if (absent.size) {
    say(`This mirror carries a part of the channel: ${count(absent.size, "listed version")} ${absent.size === 1 ? "is" : "are"} elsewhere. `);
  }
  if (index.expires_at && Date.parse(index.expires_at) <= now) {
    say(`This index expired on ${index.expires_at}. Clients install nothing new from it until the publisher renews it; what is installed stays usable.`);
  } else if (Date.parse(index.published_at) - now > 86_400_000) {
    say("This device's clock is earlier than the index was signed: whether it is fresh cannot be told.");
  }
}

/** Whether any of the signatures is the key's over the index's exact bytes. */
async function verifies(bytes, key) {
  const { signatures, index } = takeApart(bytes);
  for (const line of signatures) {
    const signature = Uint8Array.from(atob(line), character => character.charCodeAt(0));
    if (await crypto.subtle.verify("Ed25519", key, signature, index)) return true;
  }
  return false;
}

function say(isGood, words) {
  verdict.append(element("p", { class: isGood ? "good" : "bad" }, `${isGood ? "✓" : "✗"} ${words}`));
}

/** The key in the field, or undefined after saying what is wrong with it. */
async function readKey() {
  verdict.replaceChildren();
  const words = keyField.value.replace(/\s/g, "").toLowerCase();
  keyField.removeAttribute("aria-invalid");
  const refuse = reason => {
    keyField.setAttribute("aria-invalid", "true");
    say(false, reason);
  };
  if (!hex.test(words)) return refuse("A public key is 64 hexadecimal digits.");
  if (!globalThis.crypto?.subtle) {
    return refuse("This browser checks signatures on https pages and on saved files only. Open the page by https, or save it.");
  }
  const raw = Uint8Array.from(words.match(/../g), digits => parseInt(digits, 16));
  try {
    return await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  } catch (error) {
    return refuse(error.name === "NotSupportedError"
      ? "This browser does not know Ed25519 yet. Use a newer one, or the snpack command." : "These digits are no Ed25519 public key.");
  }
}

async function checkPage() {
  const key = await readKey();
  if (!key) return;
  if (await verifies(signedBytes, key).catch(() => false)) {
    say(true, `This key signed the list on this page: channel ${index.channel}, sequence ${index.sequence}. Nothing in it was changed since.`);
  } else {
    say(false, "This key did not sign the list on this page. Either the list was damaged or changed, or the channel is signed by another key.");
  }
  if (location.protocol !== "file:") await checkServed(key);
}

/** The index that clients get from this server at this moment. */
async function checkServed(key) {
  const name = "The server's index.signed";
  try {
    const answer = await fetch("index.signed", { cache: "no-store" });
    if (!answer.ok) return say(false, `${name} is not there: the server answered ${answer.status}.`);
    await judge(name, new Uint8Array(await answer.arrayBuffer()), key);
  } catch {
    say(false, `${name} could not be fetched.`);
  }
}

async function judge(name, bytes, key) {
  if (!await verifies(bytes, key).catch(() => false)) {
    return say(false, `${name} is damaged, or was not signed by this key.`);
  }
  const { channel, sequence } = JSON.parse(new TextDecoder().decode(takeApart(bytes).index));
  const isSame = bytes.length === signedBytes.length && bytes.every((byte, at) => byte === signedBytes[at]);
  say(true, `${name} is intact: ${isSame ? "the same as on this page."
    : `channel ${channel}, sequence ${sequence}. This page shows ${index.channel}, sequence ${index.sequence}.`}`);
}

document.getElementById("check").addEventListener("submit", event => {
  event.preventDefault();
  checkPage();
});
document.getElementById("file").addEventListener("change", async event => {
  const file = event.target.files[0];
  const key = file && await readKey();
  if (key) await judge(file.name, new Uint8Array(await file.arrayBuffer()), key);
});

/** The key that the address pins, as in `#key=…`. */
function takePinnedKey() {
  const pinned = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!pinned) return;
  keyField.value = pinned;
  checkPage();
}

showFacts();
showFreshness();
find();
takePinnedKey();
addEventListener("hashchange", takePinnedKey);
