// Whom a sheet goes to: a link says it, and a link may come from anybody.

import { fill, words } from "./saying.js";

const KNOWN = "adjudicator addresses";

function addresses() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN) ?? "[]");
  } catch {
    return [];
  }
}

/** The first mail to an address from this device asks whether it is the right one; the second tap sends it. */
export function askOfAddress(address) {
  const mail = document.getElementById("mail");
  if (!address || !mail || addresses().includes(address)) return;
  const told = Object.assign(document.createElement("p"), { id: "goes-to", className: "warn" });
  told.setAttribute("role", "status");
  document.getElementById("mail-note").before(told);
  mail.addEventListener("click", (event) => {
    if (!told.textContent) {
      event.preventDefault();
      told.textContent = fill(words["goes-to"], { address });
      return;
    }
    told.remove();
    try {
      localStorage.setItem(KNOWN, JSON.stringify([...new Set([...addresses(), address])]));
    } catch { /* nothing is kept here: it is asked again the next time */ }
  });
}
