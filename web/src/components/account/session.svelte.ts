// The user of this browser, for the pages around the table.

import { api, ensureGuest } from "../../lib/api";
import type { Me } from "../../lib/rest";

class Session {
  me = $state.raw<Me | null>(null);

  async arrive(): Promise<Me> {
    this.me = await ensureGuest();
    return this.me;
  }

  async rename(name: string): Promise<void> {
    await this.arrive();
    this.me = await api.rename(name);
  }

  async signIn(name: string, password: string): Promise<void> {
    this.me = await api.signIn(name, password);
  }

  async createAccount(name: string, password: string): Promise<void> {
    await this.arrive();
    this.me = await api.createAccount(name, password);
  }

  async deleteAccount(password: string): Promise<void> {
    await api.deleteAccount(password);
    this.me = null;
    await this.arrive();
  }

  async signOut(): Promise<void> {
    await api.signOut();
    this.me = null;
    await this.arrive();
  }
}

export const session = new Session();
