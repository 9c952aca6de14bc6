import { describe, expect, it } from 'vitest'
import { drawSvg, openBrandedOffice } from '../brand/testing.ts'

type Office = Awaited<ReturnType<typeof openBrandedOffice>>

const rob = 'rob@client.example'

/** Sends a link with its code to an address, and returns the email. */
async function sendLink(office: Office, to = rob) {
  const { key } = await office.share()
  await office.call('POST', '/v1/link/email', office.kim, { key, accessCode: '', targetEmail: to })
  await office.deliver()
  return office.sentEmails.at(-1)
}

async function sendTest(office: Office, to: string) {
  await office.call('POST', '/v1/admin/mail/test', office.admin, { to })
  await office.deliver()
  return office.sentEmails.at(-1)
}

const chooseLanguage = (office: Office, who: Record<string, string>, language: string) =>
  office.call('PATCH', '/v1/identity/language', who, { language })

describe('the language of an email', () => {
  it('is that of the organisation, unless the reader is a user who chose one', async () => {
    await using office = await openBrandedOffice()
    expect(await sendLink(office)).toMatchObject({ language: 'en', subject: 'Acme GmbH shared “Plans” with you' })
    await office.change('organisation', { language: 'nl' })
    expect(await sendLink(office)).toMatchObject({ language: 'nl', subject: 'Acme GmbH heeft “Plans” met u gedeeld' })
    expect((await sendTest(office, 'eve@globex.example'))?.language).toBe('nl')
    await chooseLanguage(office, office.eve, 'it')
    expect(await sendTest(office, 'eve@globex.example')).toMatchObject({ language: 'it', subject: 'Email di prova da Neptune' })
    expect((await sendLink(office, 'eve@globex.example'))?.subject).toBe('Acme GmbH ha condiviso «Plans» con Lei')
  })

  it('is the one that the sender chose, unless the reader is a user who chose one', async () => {
    await using office = await openBrandedOffice()
    const { key, code } = await office.share('LINK_EDITABLE_DIRECTORY')
    const send = async (targetEmail: string) => {
      await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail, language: 'de' })
      await office.deliver()
      return office.sentEmails.at(-1)
    }
    expect((await send(rob))?.subject).toBe('Acme GmbH hat „Plans“ mit Ihnen geteilt und bittet um Dateien')
    await chooseLanguage(office, office.eve, 'fr')
    expect((await send('eve@globex.example'))?.language).toBe('fr')

    const visitor = await office.enter({ key, code })
    await office.addFile(office.plans, 'signed.txt', visitor)
    const { receipt } = await office.data('POST', '/v1/receipt', visitor, {})
    const receiptSubjects = {
      it: 'Ricevuta di consegna per 1 file caricato in «Plans»',
      de: 'Empfangsbestätigung: 1 Datei in „Plans“ hochgeladen',
    }
    for (const [language, subject] of Object.entries(receiptSubjects)) {
      await office.call('POST', `/v1/receipt/${receipt.id}/email`, visitor, { email: rob, language })
      await office.deliver()
      expect(office.sentEmails.at(-1)?.subject).toBe(subject)
    }
  })

  it('is that of the user even in the notice to their previous address', async () => {
    await using office = await openBrandedOffice()
    await chooseLanguage(office, office.kim, 'fr')
    await office.call('PATCH', `/v1/admin/user/${office.kimId}`, office.admin, { email: 'kim.doe@acme.example' })
    await office.deliver()
    expect(office.sentEmails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      ['kim.doe@acme.example', 'Votre compte chez Neptune utilise désormais cette adresse e-mail'],
      ['kim@acme.example', 'Votre adresse e-mail a été modifiée'],
    ])
  })

  it('is determined when the email is sent, and so is the time zone', async () => {
    await using office = await openBrandedOffice()
    const { key } = await office.share()
    await office.call('POST', '/v1/link/email', office.kim, { key, accessCode: '', targetEmail: rob })
    await office.change('organisation', { language: 'de', time_zone: 'America/New_York' })
    await office.deliver()
    expect(office.sentEmails[0]?.text.replaceAll(/\s+/g, ' ')).toContain('(Nordamerikanische Ostküstenzeit) ab.')
  })
})

describe('the sender of an email', () => {
  it('is the organisation, and replies go to the owner of the link', async () => {
    await using office = await openBrandedOffice()
    await office.change('organisation', { name: 'Keller & Partner' })
    await office.change('email', { reply_to: 'office@keller.example' })
    expect(await sendLink(office)).toMatchObject({
      from: { name: 'Keller & Partner' },
      replyTo: { name: 'Kim Doe', address: 'kim@acme.example' },
    })
    await office.change('email', { sender_name: 'Files of Keller' })
    expect((await sendLink(office))?.from.name).toBe('Files of Keller')
    expect(await sendTest(office, rob)).toMatchObject({ replyTo: { name: '', address: 'office@keller.example' } })
  })
})

describe('replies to an email', () => {
  it('go to the configured address if no person sent the email or it is about security', async () => {
    await using office = await openBrandedOffice()
    expect((await sendTest(office, rob))?.replyTo).toBeUndefined()
    await office.change('email', { reply_to: 'office@keller.example' })
    await office.call('POST', `/v1/admin/user/${office.kimId}/reset`, office.admin)
    await office.call('POST', '/v1/identity/forgot', {}, { email: 'eve@globex.example' })
    const { key } = await office.share()
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'code', message: 'Please' })
    await office.deliver()
    expect(
      office.sentEmails
        .slice(1)
        .map(({ subject, replyTo }) => [subject, replyTo?.address])
        .toSorted(),
    ).toEqual([
      ['Choose a new password', 'office@keller.example'],
      ['Choose a new password', 'office@keller.example'],
      ['Someone requested a new access code for “Plans”', 'office@keller.example'],
    ])
  })

  it('go to the admin who sent an invitation', async () => {
    await using office = await openBrandedOffice()
    await office.change('organisation', { name: 'Keller & Partner', language: 'es' })
    const user = { name: 'Ada Lovelace', email: 'ada@acme.example', company: office.acme, role: 'NEPTUNE_USER', invite: true }
    await office.call('POST', '/v1/admin/user', office.admin, user)
    await office.deliver()
    expect(office.sentEmails).toMatchObject([
      {
        subject: 'Kim Doe le ha enviado una invitación a Keller & Partner',
        replyTo: { name: 'Kim Doe', address: 'admin@neptune.example' },
      },
    ])
  })

  it('don’t go to an owner who is suspended before the email is sent', async () => {
    await using office = await openBrandedOffice()
    const { key, code } = await office.share('LINK_EDITABLE_DIRECTORY')
    await office.deps.db.updateTable('link').set({ email: rob }).execute()
    const visitor = await office.enter({ key, code })
    await office.addFile(office.plans, 'signed.txt', visitor)
    const { receipt } = await office.data('POST', '/v1/receipt', visitor, {})
    const sendReceipt = () => office.call('POST', `/v1/receipt/${receipt.id}/email`, visitor, { email: rob })
    await sendReceipt()
    await office.deliver()
    await sendReceipt()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    await office.deliver()
    expect(office.sentEmails.map(({ to, replyTo }) => [to, replyTo?.address])).toEqual([
      [rob, 'kim@acme.example'],
      [rob, undefined],
    ])
  })
})

describe('the brand of an email', () => {
  it('is that of the organisation, or of the company whose files are shared', async () => {
    await using office = await openBrandedOffice()
    const logos = await office.setLogo(office.ofOrganisation, drawSvg('red'))
    await office.change('organisation', { name: 'Keller & Partner', welcome: 'Call us at 030 1234.' })
    await office.change('appearance', { accent: '#aa3377' })
    const branded = await sendLink(office)
    expect(branded?.html).toContain(`src="${office.deps.config.publicUrl}${logos.light?.url}"`)
    expect(branded?.html).toContain('#aa3377')
    for (const body of [branded?.html, branded?.text]) expect(body).toContain('Call us at 030 1234.')
    expect((await sendTest(office, rob))?.text).not.toContain('Call us')

    await office.call('PATCH', `/v1/admin/company/${office.acme}`, office.admin, { brand_name: 'Acme Law' })
    const own = await sendLink(office)
    expect(own).toMatchObject({ from: { name: 'Acme Law' } })
    expect(own?.text).toContain('-- \nAcme Law\n')
    expect(own?.html).not.toContain('<img')
  })
})
