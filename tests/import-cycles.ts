import { dirname, join, normalize } from 'node:path/posix'

/** Returns the imports of a file that must not form cycles: all except type-only imports within its folder. */
function findEdges(file: string, source: string): string[] {
  const statements = [...source.matchAll(/^(?:import|export) ([^'"]*?)from '(\.[^']+)'/gm)]
  return statements
    .map(([, names = '', path = '']) => ({ names, target: normalize(join(dirname(file), path)) }))
    .filter(({ names, target }) => !isTypeOnly(names) || !areInSameFolder(file, target))
    .map(({ target }) => target)
}

/** Whether one of the files is in the folder of the other, or in a subfolder of that folder. */
const areInSameFolder = (one: string, other: string) =>
  other.startsWith(`${dirname(one)}/`) || one.startsWith(`${dirname(other)}/`)

const isTypeOnly = (names: string) => /^type\s/.test(names) || /^\{\s*(type \w+( as \w+)?\s*,?\s*)+\}\s*$/.test(names)

/** Returns the import cycles. Each is a list of files that starts and ends with the same file. */
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
