/** Every error a client can meet. The code is stable; status and message live here and nowhere else. */
export const errors = {
  'request.invalid': { status: 400, message: 'The request is not valid. Check the fields named and send it again.' },
  'session.missing': { status: 401, message: 'Sign in to go on.' },
  'session.wrong_credentials': { status: 401, message: 'That e-mail and password do not match. Check both and try again.' },
  'session.forbidden': { status: 403, message: 'Your role does not allow this. Ask an administrator.' },
  'route.not_found': { status: 404, message: 'There is nothing at this address.' },
  'company.not_found': { status: 404, message: 'There is no such company.' },
  'session.not_found': { status: 404, message: 'There is no such session.' },
  'mail.not_found': { status: 404, message: 'There is no such mail.' },
  'reset.not_found': {
    status: 404,
    message: 'This link was used already or is more than an hour old. Ask for a new mail.',
  },
  'user.not_found': { status: 404, message: 'There is no such user.' },
  'request.timeout': { status: 408, message: 'The request took too long to arrive. Send it again.' },
  'company.name_taken': { status: 409, message: 'There is a company of this name already. Choose another one.' },
  'mail.not_repeatable': { status: 409, message: 'This mail was sent, or is about to be. There is nothing to send again.' },
  'user.email_taken': { status: 409, message: 'Somebody has this e-mail address already.' },
  'user.own_role': { status: 409, message: 'You cannot do this to yourself. Ask another administrator.' },
  'user.last_admin': { status: 409, message: 'This is the last administrator. Make somebody else one first.' },
  'request.too_large': { status: 413, message: 'The request is larger than this server accepts.' },
  'request.wrong_type': { status: 415, message: 'Send the body as application/json.' },
  'request.headers_too_large': { status: 431, message: 'The headers of the request are larger than this server accepts.' },
  'session.too_many_tries': { status: 429, message: 'Too many tries. Wait before you try again.' },
  'mail.too_many': { status: 429, message: 'Too many mails. Wait before you send another one.' },
  'server.busy': { status: 429, message: 'The server is busy. Try again in a moment.' },
  'server.failed': {
    status: 500,
    message: 'Something went wrong on our side. Try again; if it happens again, report the request id.',
  },
  'server.stopping': { status: 503, message: 'The server is restarting. Try again in a moment.' },
  'server.unavailable': { status: 503, message: 'The server cannot reach its database. Try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors
