/** Back ends that a tenant may register. */
export const mostProviders = 200;
