/** Every error of the API. Codes are stable. Statuses and messages are defined only here. */
export const errors = {
  'request.invalid': { status: 400, message: 'The request is invalid. Check it and try again.' },
  'upload.invalid': {
    status: 400,
    message: 'A header of this upload is missing or invalid. Check the headers listed and try again.',
  },
  'file.multipart': { status: 400, message: 'Send exactly one file as multipart/form-data, in a field named file.' },
  'logo.invalid': {
    status: 400,
    message:
      'This image can’t be used as a logo. Choose a PNG, JPEG or WebP file, or an SVG with its text converted to paths and no linked files.',
  },
  'passkey.invalid': { status: 400, message: 'This passkey couldn’t be added. Try again, or use another device.' },
  'link.wrong_code': { status: 400, message: 'This isn’t the access code of this link. Check it and try again.' },
  'file.name_invalid': { status: 400, message: 'A file or folder can’t have this name. Choose a different name.' },
  'session.missing': { status: 401, message: 'Sign in to continue.' },
  'session.wrong_credentials': { status: 401, message: 'Incorrect email or password. Check both and try again.' },
  'session.second_factor': { status: 401, message: 'Confirm the sign-in with your second factor.' },
  'session.wrong_code': { status: 401, message: 'This code is wrong or was already used. Wait for the next code and try again.' },
  'session.wrong_passkey': {
    status: 401,
    message: 'This passkey can’t be used here. Use another passkey, or a different method.',
  },
  'session.challenge_ended': { status: 401, message: 'This sign-in took too long or is no longer valid. Sign in again.' },
  'provider.logout_invalid': { status: 400, message: 'This logout token is invalid, or was already used.' },
  'link.closed': {
    status: 401,
    message: 'Your access to this link has ended. Enter the access code again. If it no longer works, contact the sender.',
  },
  'link.paused': {
    status: 401,
    message: 'This link isn’t available right now. Try again later, or ask the person who sent it to you.',
  },
  'session.forbidden': { status: 403, message: 'Your role doesn’t allow this. Ask an administrator.' },
  'session.unconfirmed': { status: 403, message: 'Confirm that it’s you. Then try again.' },
  'session.factor_required': {
    status: 403,
    message: 'Your organisation requires a second factor. Set one up to continue.',
  },
  'session.password_off': {
    status: 403,
    message: 'Your organisation has turned off passwords. Sign in a different way, or ask an administrator.',
  },
  'provider.other_user': {
    status: 403,
    message: 'You’re signed in as a different user. Sign out, then sign in as the user that you want to connect this account to.',
  },
  'token.forbidden': {
    status: 403,
    message: 'This token’s scope doesn’t allow this call. Use a token with a wider scope, or sign in.',
  },
  'link.forbidden': { status: 403, message: 'You can’t do this with this link.' },
  'route.not_found': { status: 404, message: 'There is nothing at this address.' },
  'company.not_found': { status: 404, message: 'Company not found.' },
  'session.not_found': { status: 404, message: 'Session not found.' },
  'directory.not_found': { status: 404, message: 'Directory not found.' },
  'file.not_found': { status: 404, message: 'File not found.' },
  'version.not_found': { status: 404, message: 'Version not found. It may have been deleted.' },
  'link.not_found': { status: 404, message: 'Link not found.' },
  'receipt.not_found': { status: 404, message: 'Receipt not found.' },
  'upload.not_found': { status: 404, message: 'Upload not found. It may have expired or been cancelled.' },
  'token.not_found': { status: 404, message: 'Token not found.' },
  'webhook.not_found': { status: 404, message: 'Webhook not found.' },
  'mail.not_found': { status: 404, message: 'Email not found.' },
  'reset.not_found': {
    status: 404,
    message: 'This link no longer works or is incomplete. These links work once, for an hour. Request a new one.',
  },
  'invitation.not_found': {
    status: 404,
    message:
      'This invitation no longer works, or its link is incomplete. If you got a newer one, use that. Otherwise, ask an administrator.',
  },
  'factor.reset_not_found': {
    status: 404,
    message:
      'This link no longer works. The second factor may already have been removed, or the removal was cancelled. Sign in to check, or ask an administrator.',
  },
  'passkey.not_found': { status: 404, message: 'Passkey not found.' },
  'provider.not_found': { status: 404, message: 'Provider not found.' },
  'provider.account_not_found': { status: 404, message: 'Connected account not found.' },
  'operator_link.not_found': {
    status: 404,
    message:
      'This link no longer works or is incomplete. These links work once, for ten minutes. Ask the person who gave it to you for a new one.',
  },
  'user.not_found': { status: 404, message: 'User not found.' },
  'request.timeout': { status: 408, message: 'The request took too long to arrive. Try again.' },
  'directory.name_taken': {
    status: 409,
    message: 'A directory, folder or file with this name already exists here. Choose a different name.',
  },
  'directory.top_level': {
    status: 409,
    message: 'A top-level directory can’t be moved. Move the folders and files in it instead.',
  },
  'folder.too_deep': { status: 409, message: 'Folders can be nested at most 32 levels deep. Use fewer levels.' },
  'folder.path_too_long': {
    status: 409,
    message: 'The path of a folder would be longer than 1,000 characters. Use shorter names or fewer levels.',
  },
  'folder.too_many': {
    status: 409,
    message: 'A directory can have at most 100,000 folders. Add fewer, or use another directory.',
  },
  'folder.directory_deleted': { status: 409, message: 'The top-level directory is in the trash, too. Restore it first.' },
  'move.into_itself': { status: 409, message: 'A folder can’t be moved into itself or into a folder inside it.' },
  'copy.too_large': {
    status: 409,
    message: 'You can copy at most 100,000 files and folders at once. Copy them in several steps.',
  },
  'move.too_large': {
    status: 409,
    message: 'You can move at most 10,000 files to another company at once. Move fewer files.',
  },
  'file.name_taken': { status: 409, message: 'A folder or file with this name already exists here. Choose a different name.' },
  'version.current': {
    status: 409,
    message: 'This is the current version. Restore another version first, or delete the file.',
  },
  'upload.wrong_offset': {
    status: 409,
    message: 'The offset doesn’t match the bytes received so far. Send a HEAD request to get the current offset.',
  },
  'company.name_taken': { status: 409, message: 'A company with this name already exists. Choose a different name.' },
  'company.archived': {
    status: 409,
    message: 'This company is archived, so this isn’t possible. Restore it first, or ask an administrator to.',
  },
  'company.last_admin': {
    status: 409,
    message:
      'Every administrator who can sign in belongs to this company. Make someone in another company an administrator first.',
  },
  'link.expired': { status: 409, message: 'This link has expired, or doesn’t work right now. Its details say why.' },
  'link.company_archived': {
    status: 409,
    message:
      'The company of this link is archived, so the link doesn’t work. Restore the company first, or ask an administrator to.',
  },
  'link.target_deleted': {
    status: 409,
    message: 'What this link shares is in the trash. Restore it first.',
  },
  'link.not_ending': { status: 409, message: 'This link has more than 90 days left. To extend it anyway, choose a date.' },
  'link.not_reserved': {
    status: 409,
    message: 'This key and access code aren’t reserved for you, or the reservation has expired. Start over.',
  },
  'link.already_created': { status: 409, message: 'This link has already been created. You’ll find it on the Links page.' },
  'link.max_lifetime': {
    status: 409,
    message: 'This link already stays open for as long as your organisation allows. Extend it later.',
  },
  'settings.changed': {
    status: 409,
    message: 'Someone else changed these settings in the meantime. Check their changes, then save again.',
  },
  'settings.locked': {
    status: 409,
    message: 'This value is set by an environment variable on the server, so it can’t be changed here.',
  },
  'mail.not_repeatable': {
    status: 409,
    message: 'This email can’t be sent again. It was already sent, is about to be sent, or has expired.',
  },
  'token.too_many': { status: 409, message: 'You’ve reached the limit of 50 tokens. Revoke one before you create another.' },
  'webhook.too_many': {
    status: 409,
    message: 'This company has reached the limit of 20 webhooks. Delete one before you create another.',
  },
  'webhook.paused': { status: 409, message: 'This webhook is paused. Resume it first.' },
  'user.email_taken': { status: 409, message: 'Another user already has this email address.' },
  'user.not_invited': { status: 409, message: 'This user has no pending invitation. They may have accepted it already.' },
  'user.invited': { status: 409, message: 'This user hasn’t accepted their invitation yet. Send them a new invitation instead.' },
  'user.suspended': { status: 409, message: 'This user is suspended. Restore them first.' },
  'user.own_role': { status: 409, message: 'You can’t do this to your own account. Ask another administrator.' },
  'user.own_details': {
    status: 409,
    message: 'Change your own name and email address under Account.',
  },
  'user.no_access': {
    status: 409,
    message:
      'This person can’t sign in, or has no access to the company of one of these links. Choose someone else, or give them access first.',
  },
  'user.owns_links': {
    status: 409,
    message: 'This person owns links that haven’t expired. Choose who takes them over, or close them.',
  },
  'user.last_admin': {
    status: 409,
    message: 'This is the last administrator who can sign in. Make someone else an administrator first.',
  },
  'factor.missing': {
    status: 409,
    message: 'There’s nothing to remove, renew or cancel. Reload the page to see the current second factors.',
  },
  'factor.exists': { status: 409, message: 'You already have an authenticator app. Remove it first.' },
  'factor.not_started': { status: 409, message: 'Start setting up the authenticator app first.' },
  'factor.required': {
    status: 409,
    message: 'Your organisation requires a second factor, and this is your last one. Set up another one first.',
  },
  'passkey.exists': { status: 409, message: 'This passkey has already been added.' },
  'passkey.too_many': { status: 409, message: 'You’ve reached the limit of 20 passkeys. Remove one before you add another.' },
  'passkey.unavailable': {
    status: 409,
    message:
      'This server can’t use passkeys, because its address doesn’t start with https:// or is an IP address. Ask an administrator to change PUBLIC_URL.',
  },
  'passkey.wrong_address': {
    status: 409,
    message: 'Passkeys work only at the address in PUBLIC_URL. Open Neptune there and try again.',
  },
  'provider.locked': {
    status: 409,
    message: 'This provider is set by an environment variable on the server, so it can’t be changed here.',
  },
  'provider.too_many': { status: 409, message: 'There are already 50 providers. Delete one before you add another.' },
  'provider.account_taken': { status: 409, message: 'This account is already connected to another user.' },
  'provider.last_way_in': {
    status: 409,
    message: 'This is your only way to sign in. Add a passkey or connect another account first.',
  },
  'provider.last_admin': {
    status: 409,
    message:
      'Passwords are turned off, and this would leave no administrator who signs in with a provider. Have another one sign in with it first, or turn passwords on.',
  },
  'upload.version': { status: 412, message: 'Unsupported tus version. Send Tus-Resumable: 1.0.0.' },
  'file.too_large': { status: 413, message: 'The file is larger than this server accepts.' },
  'logo.too_large': { status: 413, message: 'The image is larger than 1 MiB. Choose a smaller one.' },
  'request.too_large': { status: 413, message: 'The request is larger than this server accepts.' },
  'range.unsatisfiable': { status: 416, message: 'The requested range is outside the file.' },
  'request.wrong_type': { status: 415, message: 'This call doesn’t accept this content type.' },
  'upload.busy': { status: 423, message: 'Another request is writing to this upload. Try again in a moment.' },
  'request.headers_too_large': { status: 431, message: 'The request headers are larger than this server accepts.' },
  'session.too_many_tries': { status: 429, message: 'Too many attempts. Wait before you try again.' },
  'link.too_many_tries': { status: 429, message: 'Too many attempts. Wait before you try again.' },
  'upload.too_many': { status: 429, message: 'Too many uploads at once. Finish or cancel some of them first.' },
  'download.too_many': {
    status: 429,
    message: 'Too many ZIP downloads are running. Wait for one of them to finish, then try again.',
  },
  'mail.too_many': { status: 429, message: 'Too many emails in a short time. Try again later.' },
  'webhook.too_many_tests': { status: 429, message: 'Too many test deliveries. Wait before you send another one.' },
  'provider.too_many_tests': { status: 429, message: 'Too many tests. Wait before you start another one.' },
  'server.busy': { status: 429, message: 'The server is busy. Try again in a moment.' },
  'server.failed': {
    status: 500,
    message: 'Something went wrong on our side. Try again. If it keeps happening, give an administrator the request ID.',
  },
  'file.damaged': {
    status: 500,
    message: 'This file is damaged on the server. Tell an administrator, or the person who sent you the link.',
  },
  'directory.damaged': {
    status: 500,
    message:
      'The ZIP can’t be created because one of the files is damaged. Download the others one by one. Tell an administrator, or the person who sent you the link.',
  },
  'server.stopping': { status: 503, message: 'The server is restarting. Try again in a moment.' },
  'server.unavailable': { status: 503, message: 'The server is temporarily unavailable. Try again in a moment.' },
  'storage.unavailable': { status: 503, message: 'The server can’t reach its file storage. Try again in a moment.' },
  'upload.checksum': { status: 460, message: 'The checksum doesn’t match. The bytes were discarded; send them again.' },
  'link.full': { status: 507, message: 'This link has no room left for this. Tell the person who sent it to you.' },
  'company.full': {
    status: 507,
    message: 'There isn’t enough space left. Tell an administrator, or the person who sent you the link.',
  },
  'storage.full': {
    status: 507,
    message: 'This server has run out of storage. Tell an administrator, or the person who sent you the link.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors
