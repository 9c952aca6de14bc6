import { useParams, useSearchParams } from 'react-router'
import { getVisit, useVisit } from '../../api/visit.ts'
import { getUnsentFiles } from '../../features/upload/unsent-files.ts'
import { lazyPage, withTranslations } from '../../lib/page/lazy-page.tsx'
import { CardFailed, CardPending } from '../shared/page/page-states.tsx'
import { AccessEntry } from './access-entry.tsx'

const loadView = withTranslations(() => import('./access-view.tsx').then((module) => module.AccessView))
const AccessView = lazyPage(loadView, { Pending: CardPending, Failed: CardFailed })
const AccessPreview = lazyPage(
  withTranslations(() => import('./access-preview.tsx').then((module) => module.AccessPreview)),
  {
    Pending: CardPending,
    Failed: CardFailed,
  },
)

/** The page of a link’s recipient. It reveals nothing about the staff area. */
export function AccessPage() {
  const { accessKey = '' } = useParams()
  const [params] = useSearchParams()
  const recipient = <Recipient key={accessKey} accessKey={accessKey} />
  if (params.get('as') !== 'recipient') return recipient
  return <AccessPreview key={accessKey} accessKey={accessKey} fallback={recipient} />
}

/** Shows the code entry, then the shared content. Returns to the code entry as soon as the link is closed. */
function Recipient({ accessKey }: { accessKey: string }) {
  const visit = getVisit(accessKey)
  const state = useVisit(visit)
  if (state.kind === 'inside') return <AccessView key={state.token} visit={visit} isNew={state.isNew} />
  return (
    <AccessEntry
      accessKey={accessKey}
      ended={state.kind === 'outside' ? undefined : state.kind}
      unsentFiles={getUnsentFiles(visit)}
      onSend={() => void loadView().catch(() => undefined)} // preloads while the code is verified; the page itself reports a failure
      onEnter={visit.enter}
    />
  )
}
