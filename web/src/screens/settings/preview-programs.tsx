import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import type { SectionProps } from './section-props.ts'
import css from './settings.module.css'

const c = classNames(css)

/** Names the programs for previews that are missing on the server, and what they would add. */
export function PreviewPrograms({ settings }: SectionProps) {
  const { office, video } = settings.previews
  const lacksIsolation = office === 'not_isolated' || video === 'not_isolated'
  const sentence = lacksIsolation
    ? tNodes(
        'Neptune can’t isolate LibreOffice and ffmpeg from the network and from other files on this server, so it doesn’t use them: Office documents have no previews, and videos no thumbnails. {page} says how to allow it.',
        { page: <code>docs/operating/previews.md</code> },
      )
    : describeMissing(office === 'missing', video === 'missing')
  if (sentence === undefined) return null
  return (
    <fieldset className={c('group')}>
      <legend>{t('Previews and thumbnails')}</legend>
      {lacksIsolation ? (
        <p className={c('notice')}>
          <AlertIcon />
          <span>{sentence}</span>
        </p>
      ) : (
        <p>{sentence}</p>
      )}
    </fieldset>
  )
}

function describeMissing(lacksOffice: boolean, lacksVideo: boolean): string | undefined {
  if (lacksOffice && lacksVideo)
    return t(
      'LibreOffice and ffmpeg are not installed on the server. LibreOffice would add previews and thumbnails of Office documents, and ffmpeg thumbnails of videos.',
    )
  if (lacksOffice)
    return t('LibreOffice is not installed on the server. It would add previews and thumbnails of Office documents.')
  return lacksVideo ? t('ffmpeg is not installed on the server. It would add thumbnails of videos.') : undefined
}
