import type { User } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { t } from '../../i18n/t.ts'
import css from './account.module.css'

const c = classNames(css)

export const OwnDetails = ({ info: { name, email } }: { info: User }) => (
  <dl className={c('details')}>
    <dt>{t('Name')}</dt>
    <dd>{name}</dd>
    <dt>{t('E-mail address')}</dt>
    <dd>{email}</dd>
  </dl>
)
