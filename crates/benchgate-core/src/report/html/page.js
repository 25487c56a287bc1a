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

  for (const lines of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      // What is selected can be copied by keys where a browser refuses.
      getSelection().selectAllChildren(lines);
      const text = lines.textContent;
      const done = navigator.clipboard?.writeText(text) ?? Promise.reject();
      done.catch(() => document.execCommand("copy")).then(() => {
        button.textContent = "Copied";
      });
    });
    lines.before(button);
  }

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

  // A bar is as wide as the figure when it is chosen, and what it calls grows with it. Escape shows everything again.
  for (const figure of document.querySelectorAll(".flame svg")) {
    const bars = [...figure.querySelectorAll(".bar")];
    const width = figure.viewBox.baseVal.width;
    const number = (bar, key) => Number(bar.dataset[key]);
    const zoom = (chosen) => {
      for (const bar of bars) {
        const scale = width / number(chosen, "width");
        const from = (number(bar, "from") - number(chosen, "from")) * scale;
        const left = Math.max(from, 0);
        const wide = Math.min(from + number(bar, "width") * scale, width) - left;
        bar.toggleAttribute("hidden", wide < 1);
        if (wide < 1) continue;
        const [box, label] = [bar.querySelector("rect"), bar.querySelector("text")];
        box.setAttribute("x", left);
        box.setAttribute("width", wide);
        label.setAttribute("x", left + 3);
        const letters = Math.max(Math.floor((wide - 6) / 7), 0);
        const name = bar.dataset.label;
        label.textContent =
          name.length <= letters ? name : letters < 3 ? "" : `${name.slice(0, letters - 1)}…`;
      }
    };
    const focus = (bar) => {
      if (!bar) return;
      for (const other of bars) other.setAttribute("tabindex", other === bar ? "0" : "-1");
      bar.focus();
    };
    const seen = (bar) => !bar.hasAttribute("hidden");
    const children = (of) => bars.filter((bar) => bar.dataset.parent === of && seen(bar));
    const keys = {
      ArrowDown: (bar) => children(bar.dataset.node)[0],
      ArrowUp: (bar) => bars.find((other) => other.dataset.node === bar.dataset.parent),
      ArrowRight: (bar) => next(bar, 1),
      ArrowLeft: (bar) => next(bar, -1),
    };
    const next = (bar, step) => {
      const all = children(bar.dataset.parent);
      return all[all.indexOf(bar) + step];
    };
    figure.setAttribute("role", "group");
    for (const bar of bars) {
      bar.setAttribute("role", "button");
      bar.setAttribute("aria-label", bar.querySelector("title").textContent);
      bar.setAttribute("tabindex", bar === bars[0] ? "0" : "-1");
      bar.addEventListener("click", () => {
        zoom(bar);
        focus(bar);
      });
      bar.addEventListener("keydown", (event) => {
        if (event.key in keys) focus(keys[event.key](bar));
        else if (event.key === "Enter" || event.key === " ") zoom(bar);
        else if (event.key === "Escape") zoom(bars[0]);
        else return;
        event.preventDefault();
      });
    }
  }

  for (const controls of document.querySelectorAll(".controls")) controls.hidden = false;
  show();
})();
