// The part of a page that seals the sheet in #sheet, for players who have no git: to be put on the host's own page for a
// new file. #seal-data says to whom, and what stands beside the sheet.
(() => {
  const { recipients, label, file } = JSON.parse(document.getElementById("seal-data").textContent);
  const part = (name) => document.getElementById(`seal-${name}`);
  const say = (name) => {
    for (const each of part("said").children) each.hidden = each.dataset.said !== name;
  };
  canSeal().then((can) => {
    part("do").disabled = !can;
    if (!can) say("cannot");
  });
  part("do").addEventListener("click", async () => {
    part("text").value = await sealed(labelled(label, document.getElementById("sheet").value), recipients);
    part("after").hidden = false;
    say("done");
  });
  // What was sealed is an older sheet now.
  document.addEventListener("input", (event) => {
    if (event.target === part("text") || part("after").hidden) return;
    part("after").hidden = true;
    say("");
  });
  part("copy").addEventListener("click", async () => {
    part("text").select();
    try {
      await navigator.clipboard.writeText(part("text").value);
      say("copied");
    } catch {
      document.execCommand("copy");
    }
  });
  part("download").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([part("text").value], { type: "text/plain" }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
})();
