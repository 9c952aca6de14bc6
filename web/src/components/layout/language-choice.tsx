import { languages } from '@neptune/contract'
import { chooseLanguage, languageNames, language as pageLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import css from './language-choice.module.css'

const c = classNames(css)

/** The languages by name, for visitors who can’t read this page. Not a select, because each arrow key would switch the language. */
export const LanguageChoice = () => (
  <fieldset className={c('languages')} aria-label={t('Language')}>
    {languages.map((language) => (
      <button
        key={language}
        type="button"
        lang={language}
        className={c('language')}
        aria-current={language === pageLanguage}
        onClick={() => chooseLanguage(language)}
      >
        {languageNames[language]}
      </button>
    ))}
  </fieldset>
)
