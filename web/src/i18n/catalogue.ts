import type app from './de/app.json'
import type first from './de/first.json'

/** Every English text of the web app. A text without a German translation does not compile. */
export type Text = keyof typeof first | keyof typeof app

/** A translation. If it has a count `{n}`, it can have a form for each plural category of its language, such as `one`. */
export type Translation = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)

/** The texts of a language, by English text. web/build/catalogues.ts compiles them from ICU messages. */
export type Catalogue = Record<string, Translation>
