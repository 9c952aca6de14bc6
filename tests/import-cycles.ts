import { dirname, join, normalize } from 'node:path/posix'

/** Returns the files that a file imports with values, or from another folder with types only. Types within a folder may form cycles. */
function findEdges(file: string, source: string): string[] {
  const statements = [...source.matchAll(/^(?:import|export) ([^'"]*?)from '(\.[^']+)'/gm)]
  return statements
    .map(([, names = '', path = '']) => ({ names, target: normalize(join(dirname(file), path)) }))
    .filter(({ names, target }) => !isTypeOnly(names) || !areInOneFolder(file, target))
    .map(({ target }) => target)
}

/** A folder includes its subfolders. */
const areInOneFolder = (one: string, other: string) =>
  other.startsWith(`${dirname(one)}/`) || one.startsWith(`${dirname(other)}/`)

const isTypeOnly = (names: string) => /^type\s/.test(names) || /^\{\s*(type \w+( as \w+)?\s*,?\s*)+\}\s*$/.test(names)

/** Returns the cycles between files, each as the files it goes through. */
export function findCycles(sources: Map<string, string>): string[][] {
  const edges = new Map([...sources].map(([file, source]) => [file, findEdges(file, source)]))
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file])
    if (done.has(file)) return
    for (const target of edges.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return cycles
}
