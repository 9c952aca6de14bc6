// Runs before the first paint, so that a chosen theme never flashes the other one. The choice is made in src/lib/theme.ts.
;(() => {
  const choice = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)
  if (choice) document.documentElement.dataset.theme = choice[1]
})()
