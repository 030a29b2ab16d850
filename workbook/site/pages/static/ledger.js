// The ledger's table: search, two filters, sorting by a click on a heading. Without it the table is whole.
document.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector(".nb-ledger");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const words = rows.map((row) => row.textContent.toLowerCase());
  const chosen = { source: "", verdict: "" };
  let asked = [];

  const controls = document.createElement("div");
  controls.className = "nb-ledger-controls";
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  table.before(controls, said);

  const show = () => {
    let count = 0;
    rows.forEach((row, i) => {
      const fits = Object.entries(chosen).every(([name, value]) => !value || row.dataset[name] === value);
      row.hidden = !(fits && asked.every((word) => words[i].includes(word)));
      count += !row.hidden;
    });
    said.textContent = `${count} of ${rows.length} claims`;
  };

  const labelled = (words, field) => {
    const label = document.createElement("label");
    label.append(words, field);
    controls.append(label);
    return field;
  };
  const search = labelled("Search", document.createElement("input"));
  search.type = "search";
  search.addEventListener("input", () => {
    asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    show();
  });
  for (const name of Object.keys(chosen)) {
    const values = [...new Set(rows.map((row) => row.dataset[name]))];
    const field = labelled(name === "source" ? "Source" : "Verdict", document.createElement("select"));
    field.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
    field.addEventListener("change", () => ((chosen[name] = field.value), show()));
  }

  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
      const order = (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
      body.append(...[...rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
    });
  });

  // An address #C15-T1-03 always shows its claim.
  addEventListener("hashchange", () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (row?.hidden) row.hidden = false;
    row?.scrollIntoView();
  });
  show();
});
