"use strict";
(() => {
  const all = (where, what) => Array.from(where.querySelectorAll(what));
  const root = document.documentElement;

  // Theme: as the system has it until the reader chooses.
  const stored = () => { try { return localStorage.getItem("nearkin-theme"); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem("nearkin-theme", theme); } catch { /* a file may have no storage */ } };
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = document.getElementById("theme");
  const tell = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  if (stored()) root.dataset.theme = stored();
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    store(root.dataset.theme);
    tell();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  tell();

  const save = (name, kind, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    // Long after any browser has fetched it.
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  // Tables: sorted by a click on the head, filtered by words, saved as CSV.
  const value = (cell) => cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent;
  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === "") return 1;
    if (b === "") return -1;
    const [x, y] = [Number(a), Number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, undefined, { numeric: true }) : x - y;
  };
  const sort = (table, at, head) => {
    const falls = head.getAttribute("aria-sort") === "descending"
      || (head.getAttribute("aria-sort") !== "ascending" && !head.classList.contains("number"));
    const order = falls ? "ascending" : "descending";
    all(table, "thead th").forEach((one) => one.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const empty = (row) => value(row.cells[at]) === "";
    rows.sort((a, b) => {
      const found = compare(value(a.cells[at]), value(b.cells[at]));
      return empty(a) || empty(b) || order === "ascending" ? found : -found;
    });
    body.append(...rows);
  };
  // A spreadsheet would take such a cell for a formula.
  const harmless = (text) => /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  const quoted = (text) => /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const csv = (table) => {
    const lines = [all(table, "thead th").map((head) => head.textContent)];
    for (const row of table.tBodies[0].rows) {
      if (!row.hidden) lines.push(Array.from(row.cells).map(value));
    }
    return lines.map((line) => line.map(harmless).map(quoted).join(",")).join("\r\n") + "\r\n";
  };
  const ready = (holder) => {
    const table = holder.querySelector("table");
    all(table, "thead th").forEach((head, at) => {
      head.querySelector("button").addEventListener("click", () => sort(table, at, head));
    });
    const filter = holder.querySelector("input[type=search]");
    const count = holder.querySelector(".kept");
    if (filter) filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let kept = 0;
      for (const row of table.tBodies[0].rows) {
        const text = Array.from(row.cells, (cell) => cell.textContent).join("\n").toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        kept += row.hidden ? 0 : 1;
      }
      count.textContent = words.length ? `${kept} of ${table.tBodies[0].rows.length} rows` : "";
    });
    holder.querySelector(".csv").addEventListener("click", () => {
      save(`${holder.dataset.name}.csv`, "text/csv", csv(table));
    });
  };
  all(document, ".table").forEach(ready);

  // Figures: saved with the colours of paper, values told to mouse and finger.
  const paper = document.getElementById("figure-style").textContent;
  all(document, "button.svg").forEach((one) => one.addEventListener("click", () => {
    const figure = one.closest("figure");
    const copy = figure.querySelector("svg").cloneNode(true);
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = paper;
    const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, to] of [["width", "100%"], ["height", "100%"], ["fill", "#ffffff"]]) {
      ground.setAttribute(name, to);
    }
    copy.prepend(style, ground);
    const text = new XMLSerializer().serializeToString(copy);
    save(`${figure.id}.svg`, "image/svg+xml", `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`);
  }));
  const tip = document.getElementById("tip");
  const tellTip = (event) => {
    const mark = event.target.closest("figure svg *");
    const words = mark && mark.tagName !== "title" ? mark.querySelector(":scope > title") : null;
    if (!words) { tip.style.display = "none"; return; }
    tip.textContent = words.textContent;
    tip.style.display = "block";
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(4, event.clientY - height - 12)}px`;
  };
  document.addEventListener("pointermove", tellTip);
  document.addEventListener("pointerdown", tellTip);

  // Neighbours of a row, and where they differ.
  const holder = document.getElementById("neighbours");
  const source = document.getElementById("neighbour-data");
  if (holder && source) {
    const data = JSON.parse(source.textContent);
    const input = holder.querySelector("input");
    const place = holder.querySelector(".found");
    const make = (kind, text, name) => {
      const made = document.createElement(kind);
      if (text !== undefined) made.textContent = text;
      if (name) made.className = name;
      return made;
    };
    const shown = (column, cell) => cell === null ? "?" : column.words ? column.words[cell] : String(cell);
    const differs = (column, a, b) => {
      if (a === null || b === null) return a === b && data.missing === 0 ? 0 : 1;
      return column.words ? Number(a !== b) : column.range > 0 ? Math.abs(a - b) / column.range : 0;
    };
    const look = () => {
      const at = data.rows.findIndex((row) => row.number === Number(input.value));
      place.replaceChildren();
      if (at < 0) {
        place.append(make("p", `Row ${input.value} is not among the ${data.rows.length} rows kept here.`));
        return;
      }
      const row = data.rows[at];
      const near = row.near.map(([other]) => data.rows[other]);
      const same = near.filter((one) => one.label === row.label).length;
      const share = data.classes ? `${same} of its ${near.length} nearest rows share its class.` : "";
      place.append(make("p", `Row ${row.number} has ${data.target} ${row.label}. ${share}`, "answer"));
      const parts = data.columns.map((column, feature) => ({
        column, feature,
        sum: near.reduce((sum, one) => sum + differs(column, row.cells[feature], one.cells[feature]), 0),
      }));
      parts.sort((a, b) => b.sum - a.sum);
      const table = make("table");
      const head = make("tr");
      head.append(make("th", data.columns.length ? "feature" : ""), make("th", `row ${row.number}`));
      near.forEach((one) => head.append(make("th", `row ${one.number}`)));
      const line = (name, first, cells) => {
        const made = make("tr");
        made.append(make("th", name), make("td", first));
        cells.forEach((text) => made.append(make("td", text)));
        return made;
      };
      const body = make("tbody");
      body.append(line(data.measure || "distance", "", row.near.map(([, distance]) => String(distance))));
      body.append(line(data.target, row.label, near.map((one) => one.label)));
      for (const { column, feature } of parts.slice(0, 25)) {
        const made = make("tr");
        made.append(make("th", column.name), make("td", shown(column, row.cells[feature])));
        near.forEach((one) => {
          const gap = differs(column, row.cells[feature], one.cells[feature]);
          const cell = make("td", shown(column, one.cells[feature]), gap > 0.1 ? "differs" : "");
          cell.title = `differs by ${gap.toFixed(3)} of the range`;
          made.append(cell);
        });
        body.append(made);
      }
      const top = make("thead");
      top.append(head);
      table.append(top, body);
      const scroll = make("div", undefined, "scroll");
      scroll.tabIndex = 0;
      scroll.append(table);
      place.append(scroll);
      if (!data.columns.length) return;
      const best = parts.filter((part) => part.sum > 0).slice(0, 3).map((part) => part.column.name);
      if (best.length) place.append(make("p", `They differ most in ${best.join(", ")}; underlined cells differ by more than a tenth of the range.`, "quiet"));
    };
    input.addEventListener("input", look);
    look();
  }
})();
