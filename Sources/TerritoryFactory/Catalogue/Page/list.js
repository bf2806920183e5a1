
// The list of territories, and the search in it.

const list = document.getElementById("list");
const search = document.getElementById("search");
const more = document.getElementById("more");
const pageLength = 40;

/** Without accents and case, so that "aland" finds Åland. */
const folded = words => words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const isHere = (territory, { version }) => !absent.has(`${territory.id}@${version}`);
const carried = index.territories.filter(territory => territory.versions.some(version => isHere(territory, version)));
const entries = carried.map(territory => ({
  territory, words: folded(`${territory.display_name} ${territory.id}`),
}));
let found = [];
let shownCount = 0;

/** `47.14, 9.52` as a point. */
function pointIn(words) {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(words);
  if (!match) return undefined;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

function covers([west, south, east, north], { latitude, longitude }) {
  const within = west < east ? west <= longitude && longitude <= east : longitude >= west || longitude <= east;
  return within && south <= latitude && latitude <= north;
}

function find() {
  const point = pointIn(search.value);
  const wanted = folded(search.value).split(/\s+/).filter(word => word);
  found = entries
    .filter(({ territory, words }) => point ? covers(territory.bbox, point) : wanted.every(word => words.includes(word)))
    .map(({ territory }) => territory);
  shownCount = 0;
  list.replaceChildren();
  showMore();
  const all = count(entries.length, "territory", "territories");
  document.getElementById("count").textContent =
    search.value.trim() === "" ? all : point ? `${found.length} of ${all} around this point` : `${found.length} of ${all}`;
  if (found.length === 0) {
    list.append(element("li", { class: "none" }, entries.length ? "No territory fits." : "The channel is empty."));
  }
  drawWorld(found, point);
}

function showMore(limit = pageLength) {
  const next = found.slice(shownCount, shownCount + limit);
  shownCount += next.length;
  list.append(...next.map(row));
  more.hidden = shownCount >= found.length;
  more.textContent = `Show all ${found.length.toLocaleString("en")}`;
}

function tag(words, kind) { return element("span", { class: `tag ${kind}` }, words); }

function row(territory) {
  const latest = territory.versions.find(({ version }) => version === territory.latest_version);
  const pair = (one, two) => element("span", { class: "pair" }, element("span", {}, ...one), element("span", {}, ...two));
  const withdrawn = latest.yanked === undefined ? undefined : tag("withdrawn", "withdrawn");
  const folder = element("details", {},
    element("summary", {},
      smallMap(territory),
      element("span", {},
        element("span", { class: "name" }, outside(territory.display_name)), withdrawn,
        element("br"), element("span", { class: "id mono" }, territory.id)),
      pair([`Version ${latest.version}`], ["data of ", day(latest.data_timestamp)]),
      pair([`${bytes(latest.download_bytes)} to fetch`], [`${bytes(latest.total_bytes)} on disk`])));
  folder.addEventListener("toggle", () => {
    if (folder.open && folder.childElementCount === 1) folder.append(about(territory, latest));
  });
  return element("li", {}, folder);
}

/** What shows when a territory is opened. */
function about(territory, latest) {
  const list = details.attributions[details.attribution_of[index.territories.indexOf(territory)]] ?? [];
  const credit = list.length ? element("p", { class: "muted" }, "Data: ", ...list.flatMap((one, at) => at ? [" · ", outside(one)] : [outside(one)])) : undefined;
  // The shape of a region is too small to see on the map beside its name.
  const closeUp = details.areas[territory.id] ? smallMap(territory, 0) : undefined;
  return element("div", { class: "more-about" }, closeUp,
    latest.yanked !== undefined ? element("p", { class: "withdrawn" }, "No version is offered: all were withdrawn.")
      : isHere(territory, latest) ? command(territory) : element("p", {}, "This mirror does not carry the latest version."),
    credit, versions(territory));
}

function command(territory) {
  const words = installCommand(territory.id);
  // An option breaks before its hyphens, not after them.
  const code = element("code", {}, ...words.split(/(?<= )(?=--)|(?<=--\S*)(?= )/).map(part =>
    part.startsWith("--") ? element("span", { class: "nowrap" }, part) : part));
  const button = element("button", { type: "button", "aria-label": `Copy the command that installs ${territory.id}` }, "Copy");
  const done = element("span", { class: "unseen", role: "status" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(words);
      button.textContent = done.textContent = "Copied";
    } catch {
      // Not allowed here: the person copies what is selected.
      getSelection().selectAllChildren(code);
      button.textContent = done.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; done.textContent = ""; }, 2000);
  });
  return element("div", { class: "command" }, element("pre", {}, code), button, done);
}

function versions(territory) {
  const heading = (words, kind) => element("th", { scope: "col", class: kind }, words);
  const rows = territory.versions.map(version => {
    const isLatest = version.version === territory.latest_version && version.yanked === undefined;
    const state = !isHere(territory, version) ? ["not on this mirror"] : version.yanked !== undefined
      ? [tag("withdrawn", "withdrawn"), " ", outside(version.yanked)] : isLatest ? [tag("latest", "latest")] : [];
    return element("tr", {},
      element("th", { scope: "row", class: "mono" }, version.version), element("td", {}, day(version.data_timestamp)),
      element("td", { class: "number" }, bytes(version.download_bytes)),
      element("td", { class: "number" }, bytes(version.total_bytes)), element("td", { class: "reason" }, ...state));
  });
  const table = element("table", {},
    element("caption", {}, count(territory.versions.length, "version")),
    element("thead", {}, element("tr", {}, heading("Version"), heading("Data of"), heading("On the wire", "number"),
      heading("On disk", "number"), heading("State"))),
    element("tbody", {}, ...rows));
  return element("div", { class: "scroll" }, table);
}

search.addEventListener("input", find);
more.addEventListener("click", () => {
  const next = list.children[shownCount];
  showMore(found.length);
  (next ?? list.children[shownCount - 1])?.querySelector("summary")?.focus();
});
new IntersectionObserver(([entry]) => { if (entry.isIntersecting && !more.hidden) showMore(); }, { rootMargin: "600px" })
  .observe(more);
document.getElementById("world").addEventListener("click", event => {
  const { latitude, longitude } = pointOnWorld(event);
  search.value = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
  find();
});
