const maxDepth = 32

/**
 * Parses JSON and rejects what two parsers could interpret differently. Duplicate keys, `__proto__`, a byte-order mark, bytes that
 * are not UTF-8 and deep nesting all throw a SyntaxError.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new SyntaxError('The text is not UTF-8')
  }
  const value: unknown = JSON.parse(text)
  checkStructure(text)
  return value
}

/** Scans the strings and brackets once. The text must be valid JSON: on other text the pattern could take quadratic time. */
function checkStructure(text: string) {
  const open: (Set<string> | null)[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/gs)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) checkKey(JSON.parse(token.slice(0, -1)), open.at(-1))
    if (open.length > maxDepth) throw new SyntaxError('The JSON is nested too deeply')
  }
}

function checkKey(key: string, seen: Set<string> | null | undefined) {
  if (key === '__proto__') throw new SyntaxError('The key __proto__ is not allowed')
  if (seen?.has(key)) throw new SyntaxError('A key is duplicated')
  seen?.add(key)
}
