import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { CardPage } from './card-page.tsx'

export function NotFoundPage() {
  return (
    <CardPage title="There is nothing at this address.">
      <p>
        <Link to={paths.start}>Go to the start</Link>
      </p>
    </CardPage>
  )
}
