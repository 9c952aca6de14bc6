import { useParams } from 'react-router'
import { CardPage } from './card-page.tsx'

/** What a recipient sees. It says nothing of the staff's side, not even that there is one. */
export function AccessPage() {
  const { accessKey } = useParams()
  return (
    <CardPage title="Highly Secured Directory Protocol">
      <p>
        Key <code>{accessKey}</code>
      </p>
      <p>Shared links are not served by this version yet. Ask the sender to send the files another way.</p>
    </CardPage>
  )
}
