import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { ChevronDownIcon } from '../../components/entry-icons.tsx'
import { t } from '../../i18n/t.ts'
import css from './docs.module.css'
import { FactTable } from './fact-table.tsx'
import type { Operation } from './operations.ts'

const c = classNames(css)

/** One operation of the API, collapsed unless the URL’s hash names it. */
export function OperationDetails({ operation }: { operation: Operation }) {
  const { id, method, path, summary, access, parameters, body, replies, errors } = operation
  const details = useRef<HTMLDetailsElement>(null)
  const isTarget = useLocation().hash === `#${id}`
  useEffect(() => {
    if (isTarget) details.current?.scrollIntoView()
  }, [isTarget])
  return (
    <details ref={details} id={id} open={isTarget} className={c('operation')}>
      <summary className={c('summary')}>
        <span className={c('heading')}>
          <span className={c('method')}>{method}</span>
          <code className={c('path')}>{path}</code>
          <span className={c('purpose')} lang="en">
            {summary}
          </span>
        </span>
        <ChevronDownIcon />
      </summary>
      <div className={c('details')}>
        <dl className={c('properties')}>
          <dt>{t('Who can call it')}</dt>
          <dd>{access}</dd>
          <dt>{t('Name')}</dt>
          <dd>
            <a href={`#${id}`}>{id}</a>
          </dd>
        </dl>
        {parameters.length > 0 && (
          <FactTable
            caption={t('Parameters')}
            columns={[t('Name'), t('Where'), t('Type'), t('Required')]}
            rows={parameters.map(({ name, where, type, required }) => [
              name,
              where,
              <English key={name} text={type} />,
              yesOrNo(required),
            ])}
          />
        )}
        {body.length > 0 && (
          <FactTable
            caption={t('Body (application/json)')}
            columns={[t('Field'), t('Type'), t('Required')]}
            rows={body.map(({ name, type, required }) => [name, <English key={name} text={type} />, yesOrNo(required)])}
          />
        )}
        {replies.map(({ status, description, hasBody, fields }) =>
          fields.length > 0 ? (
            <FactTable
              key={status}
              caption={t('Response {status}', { status })}
              columns={[t('Field'), t('Type'), t('Always present')]}
              rows={fields.map(({ name, type, required }) => [name, <English key={name} text={type} />, yesOrNo(required)])}
            />
          ) : (
            <p key={status}>
              <strong>{t('Response {status}', { status })}</strong> <English text={description} /> {!hasBody && t('No body.')}
            </p>
          ),
        )}
        <FactTable
          caption={t('Errors')}
          columns={[t('Code'), t('Status'), t('Meaning')]}
          rows={errors.map(({ code, status, message }) => [code, status, <English key={code} text={message} />])}
        />
      </div>
    </details>
  )
}

/** A text that is not translated. Screen readers need to know its language. */
const English = ({ text }: { text: string }) => <span lang="en">{text}</span>

const yesOrNo = (value: boolean) => (value ? t('yes') : t('no'))
