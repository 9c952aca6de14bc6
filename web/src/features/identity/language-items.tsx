import { GlobeIcon } from '../../components/icons.tsx'
import { chooseLanguage, type Language, language } from '../../i18n/language.ts'

/** The name of each language in that language, so that someone who can’t read the page finds theirs. */
const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** Creates the language choice: radio items of a menu. */
export const createLanguageItems = () =>
  Object.entries(languageNames).map(([code, label]) => ({
    label,
    lang: code,
    icon: <GlobeIcon />,
    checked: code === language,
    onSelect: () => chooseLanguage(code as Language),
  }))
