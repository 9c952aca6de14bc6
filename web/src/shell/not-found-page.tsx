import { Link } from 'react-router'
import { t } from '../i18n/t.ts'
import { paths } from '../paths.ts'
import { CardPage } from '../screens/shared/page/card-page.tsx'

export function NotFoundPage() {
  return (
    <CardPage title={t('There is nothing at this address.')}>
      <p>
        <Link to={paths.start}>{t('Go to the home page')}</Link>
      </p>
    </CardPage>
  )
}
