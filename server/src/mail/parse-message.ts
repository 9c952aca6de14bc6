/** A text with placeholders such as `{name}`, or one text for each plural category of `{n}`. */
export type ParsedMessage = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string })

/**
 * Parses an ICU message. It may contain only text, placeholders such as `{name}`, and one plural of `{n}`. Throws for anything else, so
 * that a message never means something different to a translator's tool.
 */
export function parseMessage(source: string): ParsedMessage {
  const plural = /\{n, plural,((?: \w+ \{(?:[^{}]|\{\w+\})*\})+)\}/.exec(source)
  if (!plural) return requireText(source, source)
  const [whole, branches = ''] = plural
  const forms = [...branches.matchAll(/ (\w+) \{((?:[^{}]|\{\w+\})*)\}/g)].map(([, category = '', form = '']) => [
    category,
    requireText(
      source,
      source.replace(whole, () => form),
    ),
  ])
  const message = Object.fromEntries(forms)
  if (!('other' in message)) throw new Error(`The plural form “other” is missing: ${source}`)
  return message
}

/** Returns a text that has no syntax besides placeholders. In ICU messages, `'` and `#` have a meaning, too. */
function requireText(source: string, text: string): string {
  if (/[{}'#]/.test(text.replaceAll(/\{\w+\}/g, ''))) throw new Error(`Invalid message: ${source}`)
  return text
}
