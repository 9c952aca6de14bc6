import { api, type Language, languages } from '@neptune/contract'
import { call } from '../api/client.ts'
import { getSession, updateInfo } from '../api/session-store.ts'
import { useToast } from '../components/feedback/toast.tsx'
import { useAction } from '../components/form/use-action.ts'
import { GlobeIcon } from '../components/icons.tsx'
import { chooseLanguage, languageNames, language as pageLanguage } from '../i18n/language.ts'

/** Returns a menu’s radio items for the language. The account stores the choice, so that other browsers and emails use it, too. */
export function useLanguageItems() {
  const toast = useToast()
  const choice = useAction(storeLanguage, {
    isRepeatable: true,
    onSuccess: (_, language) => chooseLanguage(language),
    onError: ({ message }) => toast({ message }),
  })
  return languages.map((language) => ({
    label: languageNames[language],
    lang: language,
    icon: <GlobeIcon />,
    checked: language === pageLanguage,
    onSelect: () => choice.run(language),
  }))
}

async function storeLanguage(language: Language): Promise<void> {
  const session = getSession()
  const { data } = await call(api.identity.changeLanguage, { body: { language } })
  if (session.kind === 'signed-in') updateInfo(data, session.token)
}
