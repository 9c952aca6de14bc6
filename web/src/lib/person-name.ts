import { t } from '../i18n/t.ts'

/** Translates the text that the server shows in place of the name of an admin of another company. Names stay as they are. */
export const formatPersonName = (name: string) => (name === 'An administrator' ? t('An administrator') : name)
