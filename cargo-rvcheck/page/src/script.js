"use strict";
// The slider: it shows how things are after a step. Everything that it shows is on the page without it, too.
for (const section of document.querySelectorAll(".pictured")) {
  const all = (selector) => Array.from(section.querySelectorAll(selector));
  const slider = section.querySelector(".player input");
  const count = section.querySelector(".count");
  const rows = all(".steps.driven tbody tr");
  const driven = section.querySelector(".order.driven");
  const first = section.querySelector(".order.first");
  const scroller = section.querySelector(".chart .scroll");
  const places = new Map(all(".excerpts .source").map((it) => [it.dataset.place, it]));
  const lines = driven.querySelectorAll(".grid");
  const within = (spans, step) => spans.split(" ").some((span) => {
    const [from, to] = span.split("-").map(Number);
    return from <= step && step < to;
  });
  const move = (order, step) => {
    const columns = order.querySelectorAll(".grid");
    const now = order.querySelector(".now");
    now.setAttribute("x", Number(columns[step].getAttribute("x1")) - Number(now.getAttribute("width")) / 2);
  };
  const show = (step) => {
    slider.value = String(step + 1);
    count.value = `${step + 1} / ${rows.length}`;
    const row = rows[step];
    const cells = row.querySelectorAll("td");
    const said = section.querySelector(".said");
    said.replaceChildren(...Array.from(cells[1].cloneNode(true).childNodes), " ", ...Array.from(cells[2].cloneNode(true).childNodes));
    slider.setAttribute("aria-valuetext", `Step ${step + 1} of ${rows.length}: ${said.textContent}`);
    rows.forEach((it) => it.classList.toggle("current", it === row));
    const source = places.get(row.dataset.place);
    const here = section.querySelector(".here");
    here.replaceChildren(...(source ? [source.cloneNode(true)] : Array.from(cells[3].cloneNode(true).childNodes)));
    move(driven, step);
    all(".joined").forEach((it) => it.classList.toggle("current", Number(it.dataset.step) === step));
    if (first) {
      const other = row.querySelector("[data-other]");
      first.querySelector(".now").style.display = other ? "" : "none";
      if (other) move(first, Number(other.dataset.other));
    }
    // What comes later is paler.
    const veil = driven.querySelector(".veil");
    const end = driven.ownerSVGElement.width.baseVal.value;
    const from = step === rows.length - 1 ? end : Number(driven.querySelector(".now").getAttribute("x")) + Number(driven.querySelector(".now").getAttribute("width"));
    veil.setAttribute("x", from);
    veil.setAttribute("width", end - from);
    all(".edge[data-spans]").forEach((it) => it.classList.toggle("gone", !within(it.dataset.spans, step)));
    const cycle = all(".edge.cycle[data-spans]");
    const closed = cycle.every((it) => within(it.dataset.spans, step));
    cycle.forEach((it) => it.classList.toggle("closed", closed));
    const x = Number(lines[step].getAttribute("x1"));
    const left = scroller.scrollLeft;
    if (x < left + 40 || x > left + scroller.clientWidth - 60) scroller.scrollLeft = x - scroller.clientWidth / 2;
  };
  const to = (step) => show(Math.max(0, Math.min(rows.length - 1, step)));
  slider.addEventListener("input", () => to(Number(slider.value) - 1));
  section.querySelector(".back").addEventListener("click", () => to(Number(slider.value) - 2));
  section.querySelector(".forth").addEventListener("click", () => to(Number(slider.value)));
  section.querySelector(".player").hidden = false;
  section.querySelector(".current").hidden = false;
  to(Number(slider.value) - 1);
}
for (const button of document.querySelectorAll(".copy")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
  });
}
