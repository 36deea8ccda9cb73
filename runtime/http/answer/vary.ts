import type { FastifyReply } from 'fastify';

/** Say by which headers of its request an answer differs (RFC 9110 section 12.5.5), besides those said already. */
export function varyBy(reply: FastifyReply, names: string): void {
  const said = reply.getHeader('vary');
  reply.header('vary', said === undefined ? names : `${said}, ${names}`);
}

/** The headers with which somebody pays, says how it would, or who it is that has paid. */
export const paymentHeaders =
  'Authorization, Payment-Authorization, PAYMENT-SIGNATURE, Accept-Payment, Idempotency-Key';
