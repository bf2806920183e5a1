
// Maps: land and areas in tenths of a degree, longitude to the right and latitude downwards.

const use = (shift = 0) => element("use", { href: "#land", class: "land", transform: `translate(${shift} 0)` });
const wholeTurn = 3600;

/** The edges of a territory's box; east lies beyond 180 degrees where it crosses the antimeridian. */
function edges([west, south, east, north]) {
  return { west: west * 10, east: (east > west ? east : east + 360) * 10, top: -north * 10, bottom: -south * 10 };
}

/** The outline of a territory, a region's own or its box, with longitudes multiplied by `squeeze`. */
function outline(territory, squeeze) {
  const area = details.areas[territory.id];
  if (!area) {
    const { west, east, top, bottom } = edges(territory.bbox);
    return `M${west * squeeze} ${top}H${east * squeeze}V${bottom}H${west * squeeze}z`;
  }
  // What lies beyond the antimeridian is drawn next to the rest.
  const turn = territory.bbox[0] > territory.bbox[2] ? wholeTurn : 0;
  return area.parts.map(part => {
    const points = [];
    for (let at = 0; at < part.length; at += 2) {
      const x = part[at] / 1e4;
      points.push(`${(x < 0 ? x + turn : x) * squeeze} ${-part[at + 1] / 1e4}`);
    }
    return `M${points.join("L")}${area.is_line ? "" : "z"}`;
  }).join("");
}

function areaPath(territory, squeeze) {
  const buffer = details.areas[territory.id]?.buffer_m;
  // A degree of latitude is 111 km.
  return buffer && details.areas[territory.id].is_line
    ? element("path", { class: "corridor", d: outline(territory, squeeze), "stroke-width": Math.max(buffer / 5550, .02) })
    : element("path", { class: "area", d: outline(territory, squeeze) });
}

/**
 * A territory's own small map: its area, with enough land around it to tell where it is.
 * @param least tenths of a degree that it is wide at least
 */
function smallMap(territory, least = 130) {
  const { west, east, top, bottom } = edges(territory.bbox);
  const middle = { x: (west + east) / 2, y: (top + bottom) / 2 };
  const squeeze = Math.max(Math.cos(middle.y / 10 * Math.PI / 180), .2);
  const width = Math.min(Math.max((east - west) * squeeze * 1.7, (bottom - top) * 1.7 * 1.5, least), wholeTurn);
  const height = width / 1.5;
  const left = middle.x * squeeze - width / 2;
  const group = element("g", { transform: `scale(${squeeze} 1)` }, use());
  if (left < -1800 * squeeze) group.append(use(-wholeTurn));
  if (left + width > 1800 * squeeze) group.append(use(wholeTurn));
  const map = element("svg", {
    class: "map", viewBox: `${left} ${middle.y - height / 2} ${width} ${height}`, role: "img",
    "aria-label": `Map: ${place(territory.bbox)}`,
  }, group, areaPath(territory, squeeze));
  const pixels = 120 / width;
  if (Math.max((east - west) * squeeze, bottom - top) * pixels < 9) {
    map.append(element("circle", { class: "spot", cx: middle.x * squeeze, cy: middle.y, r: 8 / pixels }));
  }
  return map;
}

/** A box in words. */
function place([west, south, east, north]) {
  const latitude = degrees => `${Math.abs(degrees).toFixed(1)}° ${degrees < 0 ? "south" : "north"}`;
  const longitude = degrees => `${Math.abs(degrees).toFixed(1)}° ${degrees < 0 ? "west" : "east"}`;
  return `${latitude(south)} to ${latitude(north)}, ${longitude(west)} to ${longitude(east)}`;
}

/** All of these on the map of the world, and the point that was asked for. */
function drawWorld(territories, point) {
  const world = document.getElementById("world");
  const path = territories.map(territory => {
    const box = edges(territory.bbox);
    // Too small to see otherwise.
    const grow = Math.max(0, (12 - (box.east - box.west)) / 2), rise = Math.max(0, (12 - (box.bottom - box.top)) / 2);
    return `M${box.west - grow} ${box.top - rise}H${box.east + grow}V${box.bottom + rise}H${box.west - grow}z`;
  }).join("");
  const areas = element("g", {}, element("path", { class: "area", d: path }));
  if (territories.some(({ bbox }) => bbox[0] > bbox[2])) {
    areas.append(element("path", { class: "area", d: path, transform: `translate(${-wholeTurn} 0)` }));
  }
  world.replaceChildren(world.firstElementChild, use(), areas);
  if (point) world.append(element("circle", { class: "here", cx: point.longitude * 10, cy: -point.latitude * 10, r: 16 }));
}

/** The point of the map of the world that was clicked; the middle of a territory that is too small to be hit. */
function pointOnWorld(event) {
  const toWorld = document.getElementById("world").getScreenCTM().inverse();
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(toWorld);
  const point = { latitude: -at.y / 10, longitude: at.x / 10 };
  if (carried.some(({ bbox }) => covers(bbox, point))) return point;
  // Ten pixels, in degrees.
  const reach = toWorld.a;
  const middles = carried.map(({ bbox: [west, south, east, north] }) => ({
    latitude: (south + north) / 2, longitude: east > west ? (west + east) / 2 : west,
  }));
  const distance = middle => Math.hypot(middle.latitude - point.latitude, middle.longitude - point.longitude);
  const nearest = middles.sort((one, other) => distance(one) - distance(other))[0];
  return nearest && distance(nearest) < reach ? nearest : point;
}
