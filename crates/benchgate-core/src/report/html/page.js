"use strict";
// Comfort alone: without it the page says the same. State is in the address, so that a view can be sent.
(() => {
  const table = document.getElementById("rows");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const filter = document.getElementById("filter");
  const finding = document.getElementById("finding");
  const state = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");

  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v ?? cell.textContent;
  };

  const compare = (column, sign) => (a, b) => {
    const [x, y] = [value(a, column), value(b, column)];
    // What has no value is last either way.
    if (x === "" || y === "") return (x === "") - (y === "");
    const [m, n] = [Number(x), Number(y)];
    return sign * (Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y) : m - n);
  };

  let order = "";
  const show = () => {
    const text = filter.value.toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = row.cells[1].textContent.toLowerCase().includes(text);
      row.hidden = !(fits && (finding.value === "" || value(row, 0) === finding.value));
      shown += row.hidden ? 0 : 1;
    }
    document.getElementById("matches").textContent = `${shown} of ${rows.length} rows`;
    const wanted = state.get("sort") ?? "";
    if (wanted === order) return;
    order = wanted;
    const [key, direction] = wanted.split(".");
    const column = heads.findIndex((head) => head.dataset.key === key);
    const down = direction === "down";
    for (const head of heads) head.removeAttribute("aria-sort");
    if (column >= 0) heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...(column < 0 ? rows : [...rows].sort(compare(column, down ? -1 : 1))));
  };

  const remember = () => {
    for (const [key, text] of [["name", filter.value], ["finding", finding.value]]) {
      if (text) state.set(key, text);
      else state.delete(key);
    }
    history.replaceState(null, "", `#?${state}`);
    show();
  };

  for (const name of new Set(rows.map((row) => value(row, 0)))) {
    finding.add(new Option(name, name));
  }
  filter.value = state.get("name") ?? "";
  finding.value = state.get("finding") ?? "";
  filter.addEventListener("input", remember);
  finding.addEventListener("change", remember);

  heads.forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const [key, order] = (state.get("sort") ?? "").split(".");
      const next = key !== head.dataset.key ? "down" : order === "down" ? "up" : "";
      if (next) state.set("sort", `${head.dataset.key}.${next}`);
      else state.delete("sort");
      remember();
    });
  });

  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => {
      const name = button.dataset.save;
      const from = document.getElementById(name.endsWith(".csv") ? "csv" : "result");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([from.textContent]));
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  for (const controls of document.querySelectorAll(".controls")) controls.hidden = false;
  show();
})();
