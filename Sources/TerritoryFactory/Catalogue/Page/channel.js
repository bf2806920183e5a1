
// What the channel offers, read out of the very bytes that are signed, and how it is written for people.

const text = id => JSON.parse(document.getElementById(id).textContent);
const signedBytes = new TextEncoder().encode(text("signed"));
const details = text("details");
/** Versions that the index lists and this mirror does not carry. */
const absent = new Set(details.absent);
const index = JSON.parse(new TextDecoder().decode(takeApart(signedBytes).index));

/** `index.signed` as its signatures and the index's exact bytes, which begin at the first line that begins with `{`. */
function takeApart(bytes) {
  let start = 0;
  while (start < bytes.length && bytes[start] !== 0x7B) {
    const end = bytes.indexOf(0x0A, start);
    if (end < 0 || end > 1024) break;
    start = end + 1;
  }
  if (start === 0 || bytes[start] !== 0x7B) throw new Error("not an index.signed");
  const lines = new TextDecoder().decode(bytes.subarray(0, start)).split(/[ \t\r\n]+/).filter(line => line);
  return { signatures: lines, index: bytes.subarray(start) };
}

/** An element. Everything that came from outside enters the page here or as an attribute: as text, never as markup. */
function element(name, attributes = {}, ...children) {
  const made = name in shapes
    ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter(child => child !== undefined));
  return made;
}
const shapes = { svg: 1, g: 1, use: 1, path: 1, circle: 1, title: 1 };

/** A text from outside, kept from turning the direction of what stands beside it. */
const outside = words => element("bdi", {}, words);

/** Bytes in decimal units, as the snpack command shows them. */
function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let step = 0;
  while (count >= (step ? 999.5 : 1000) && step < units.length - 1) {
    count /= 1000;
    step += 1;
  }
  return `${step && count < 9.95 ? count.toFixed(1) : Math.round(count)} ${units[step]}`;
}

/** A date, with the whole time where a pointer rests. */
const day = timestamp => element("time", { datetime: timestamp, title: timestamp }, timestamp.slice(0, 10));

const count = (number, noun, plural = noun + "s") => `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

/** A word as a POSIX shell takes it. */
const shellWord = word => /^[\w@%+=:,./#-]+$/.test(word) && !/^[#-]/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Where this channel lies: a URL, or a directory. */
const source = location.protocol === "file:"
  ? decodeURIComponent(location.pathname).replace(/\/[^/]*$/, "") || "/"
  : new URL(".", location.href.split("#")[0].split("?")[0]).href.replace(/\/$/, "");

const keyOption = details.role === "region" ? "--region-key region.pub" : "--factory-key factory.pub";

function installCommand(id) {
  const named = details.role === "region" || index.channel === "main" ? "" : ` --channel-name ${index.channel}`;
  return `snpack store install ${shellWord(source)} ${id} --root maps ${keyOption}${named}`;
}
