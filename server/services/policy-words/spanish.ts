import type { Lexicon } from "./lexicon";

export const spanish: Lexicon = {
  language: "es",
  places: "ee uu|eeuu|usa|inglaterra|escocia|holanda",
  words: {
    return:
      "devol*|devolver|devuelv*|devolucion*|retornar|desist*|cambiado de opinión|cambié de opinión|no me gusta|no me queda|no lo quiero",
    returnCost: "devolucion* .. grat*|coste* .. devol*|gastos .. devol*",
    refund: "reembols*|reintegr*|~importe|dinero|devuelven .. dinero|devolución .. dinero|mi dinero",
    exchange: "cambi*|cambio*|otra talla|otro color|talla equivocada|muy pequeñ*|muy grande*|no .. queda bien",
    delivery:
      "=envi*|envía*|envío*|entreg*|despach*|mensajer*|paquete*|reparto|~recib*|llega*|llegar*|mandar|mandan|mandáis",
    abroad: "extranjer*|internacional*|otros países|otro país|fuera de|mundo|países|europa|ue|canarias",
    destination:
      "extranjer*|países|fuera|envían|enviáis|envían a|envíais a|enviáis a|mandan a|hacen envíos a|entregan en|envían .. a",
    customs: "aduan*|iva|impuesto*|arancel*",
    time: "cuánto tiempo|cuánto tarda*|~cuándo|tarda*|plazo*|días|laborables|hábiles|rápid*",
    period: "días|plazo*|semanas|cuántos días|cuánto tiempo tengo|hasta cuándo",
    cost: "cuánto cuesta*|cuánto vale|cuánto es|cuesta*|coste*|costo*|precio*|tarifa*|gastos|gratis|gratuit*|caro",
    tracking:
      "seguimiento|seguir|rastre*|localiz*|dónde .. pedido|dónde .. paquete|no .. llegado|no .. llegó|no .. recibido|perdid*|retras*",
    payment:
      "pagar|pago|pagos|paga|pagan|tarjeta*|efectivo|transferencia*|bizum|contrareembolso|contra reembolso|=paypal",
    charge: "cobr*|cobran|=cargo|cargan|cuándo .. cobra*",
    instalments:
      "plazos|a plazos|cuotas|mensualidad*|financia|financiar*|financiaci*|pagar después|klarna|meses sin intereses",
    damage:
      "dañad*|daño*|roto|rota|rotos|defect*|defectuos*|estropead*|averiad*|no funciona|mal estado|equivocad*|artículo incorrecto|producto incorrecto",
    warranty: "garantí*|garantia*",
    repair: "repar*|reparación*|arregl*|recambio*|repuesto*",
    privacy: "privacidad|datos|personales|protección de datos|rgpd|cookies|mi información",
    erasure: "borrar|borren|eliminar|eliminen|supresión|suprim*|cancelar mi cuenta|cerrar .. cuenta",
    sharing: "comparte*|compartir*|compartís|compartid*|terceros|venden mis|vendéis mis|vende mis|anunciantes",
    newsletter: "newsletter|boletín*|darme de baja|suscripción|publicidad",
    change: "cancel*|anul*|modificar*|modificaci*|cambiar .. pedido|cambiar .. dirección",
    gift: "regal*",
    giftCard: "vale* regalo|tarjeta* regalo|tarjeta* de regalo|cheque* regalo",
    giftWrap: "envolver*|envuelv*|envoltorio*|papel de regalo",
    discount: "descuent*|rebaja*|oferta*",
    code: "cupón|cupones|código* promocional*|código* de descuento",
    student: "estudiante*",
    priceMatch: "más barato|igualan .. precio|mejor precio",
    hours:
      "horario*|~abren|~abrís|están abiertos|estáis abiertos|qué hora .. abre*|qué hora .. cierra*|~cierran|~cerráis",
    visit: "abiert*|~tienda|~tiendas|visitar|en persona|=local|sucursal*",
    collect: "recoge*|recogid*|recojo|retirar|pasar a buscar",
    contact: "contact*|contacto|teléfono*|llamar|llamo|correo|email|atención al cliente|reclam*|hablar con",
    size: "talla*|medida*|guía de tallas|número de pie",
    care: "lavar|lavado|lava|limpi*|cuidado*|cuidar|secadora|impermeabiliz*",
    environment: "sostenib*|ecológic*|recicl*|embalaje*|medio ambiente|carbono",
    restock: "agotad*|reposición|vuelve a haber|de nuevo disponible|existencias",
    preorder: "preventa*|reserva*|prepedido*",
    loyalty: "puntos|fidel*|fidelidad|recompensa*|socio*|=club|tarjeta de cliente",
    account: "cuenta|contraseña*|registro*|registrar*|registrad*|iniciar sesión|invitado|sin cuenta|darme de alta",
    hire: "alquil*|alquiler|rentar",
    secondHand: "segunda mano|usad*|recompra*|reacondicionad*",
    trade: "mayorist*|al por mayor|empresas|profesionales",
    security: "segur*|seguridad|fraude*|estafa*|fiable",
    receipt: "factura*|recibo*|ticket|comprobante*|justificante*",
    worn: "usado|puesto|estrenad*|etiqueta*|embalaje original|sin usar",
  },
  chatter:
    "el la los las un una unos unas de del al a y o u en con sin por para que qué quién cómo como cual cuál cuáles dónde donde es son era está están estoy he ha han hay haber tengo tiene tienen tienes ser estar me te se lo le les nos mi mis tu tus su sus este esta esto estos ese eso yo usted ustedes ellos puedo puede pueden podría podéis quiero quisiera quería debo si sí no pero más muy ya hola gracias favor algo cosa cosas artículo artículos producto productos pedido pedidos pedir compra compras comprado comprar compré hacer hacen hace haga tener cuando desde hasta sobre entre también",
};
