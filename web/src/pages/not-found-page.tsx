import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import { CardPage } from './card-page.tsx'

export function NotFoundPage() {
  return (
    <CardPage title={t('There is nothing at this address.')}>
      <p>
        <Link to={paths.start}>{t('Go to the home page')}</Link>
      </p>
    </CardPage>
  )
}
