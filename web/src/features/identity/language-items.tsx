import { GlobeIcon } from '../../components/icons.tsx'
import { chooseLanguage, type Language, language } from '../../words/language.ts'

/** Each in its own words, so that whoever cannot read the page finds it. */
const names: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The language choice, as radio items of a menu. */
export const languageItems = () =>
  Object.entries(names).map(([of, label]) => ({
    label,
    lang: of,
    icon: <GlobeIcon />,
    checked: of === language,
    onSelect: () => chooseLanguage(of as Language),
  }))
