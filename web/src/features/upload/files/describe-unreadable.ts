import { t } from '../../../i18n/t.ts'

/** Names what the browser could not read, so that nobody assumes that it was uploaded. */
export const describeUnreadable = (paths: readonly string[]) =>
  paths.length === 1
    ? t('“{name}” can’t be read, so it won’t be uploaded.', { name: paths[0] ?? '' })
    : t('{n} files and folders can’t be read, so they won’t be uploaded: “{name}” and others.', {
        n: paths.length,
        name: paths[0] ?? '',
      })
