import { GlobeIcon } from '../../components/icons.tsx'
import { chooseLanguage, type Language, language } from '../../i18n/language.ts'

/** Each language in itself, so that someone who can’t read the page finds theirs. */
const names: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The language choice, as radio items of a menu. */
export const languageItems = () =>
  Object.entries(names).map(([code, label]) => ({
    label,
    lang: code,
    icon: <GlobeIcon />,
    checked: code === language,
    onSelect: () => chooseLanguage(code as Language),
  }))
