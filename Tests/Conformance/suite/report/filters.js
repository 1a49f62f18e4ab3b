"use strict";
/* Shows the files that fit all filters; the filters stand in the address, so that a view can be linked to. */
(() => {
  const form = document.querySelector(".filters");
  const rows = [...document.querySelectorAll("table.files tbody tr")];
  const output = form.querySelector("output");

  function fits(row, filters) {
    const facts = row.dataset;
    return (!filters.text || facts.text.includes(filters.text.toLowerCase()))
      && (!filters.topic || facts.topic === filters.topic)
      && (!filters.kind || facts.kind === filters.kind)
      && (!filters.agree || facts.agree === filters.agree)
      && (!filters.row || facts.rows.split(" ").includes(filters.row))
      && (!filters.differs || facts.differs.split(" ").includes(filters.differs));
  }

  function apply() {
    const filters = Object.fromEntries(new FormData(form));
    let count = 0;
    for (const row of rows) {
      row.hidden = !fits(row, filters);
      count += row.hidden ? 0 : 1;
    }
    output.textContent = `${count} of ${rows.length} files`;
    const used = Object.entries(filters).filter(([, value]) => value);
    history.replaceState(null, "", used.length ? `#${new URLSearchParams(used)}` : location.pathname);
  }

  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
})();
