import { useFreshLink } from '../../../features/link/link-queries.ts'
import { LinkReady } from '../../../features/link/link-ready.tsx'
import { type ReadyLink, useReadyLink, useShowReadyLink } from '../../../features/link/ready-link.ts'
import { useDialog } from '../dialogs/dialog.ts'

/** Shows the link that was just created or reset, if there is one. */
export function ReadyLinkPanel() {
  const ready = useReadyLink()
  return ready && <ReadyPanel ready={ready} />
}

function ReadyPanel({ ready }: { ready: ReadyLink }) {
  const show = useShowReadyLink()
  const open = useDialog()
  const link = useFreshLink(ready.link)
  const dismiss = () => {
    show(null)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const { accessCode } = ready
  return <LinkReady ready={ready} link={link} onSend={() => open({ kind: 'send-link', link, accessCode })} onDismiss={dismiss} />
}
