package dev.wisent.springboot;

import dev.wisent.Wisent;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** Adds the beans that {@link AutoConfigureWisent} is about. */
final class WisentRegistrar implements ImportBeanDefinitionRegistrar {
  private static final String SERVERS = "wisent";

  WisentRegistrar() {}

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    MergedAnnotation<AutoConfigureWisent> annotation =
        importing.getAnnotations().get(AutoConfigureWisent.class);
    ServerSettings settings = ServerSettings.of(annotation);
    registry.registerBeanDefinition(
        SERVERS,
        BeanDefinitionBuilder.genericBeanDefinition(Wisent.class, settings::start)
            .setDestroyMethodName("close")
            .getBeanDefinition());
    registry.registerBeanDefinition(
        "wisentConnectionDetails",
        BeanDefinitionBuilder.rootBeanDefinition(WisentConnectionDetails.class)
            .addConstructorArgReference(SERVERS)
            .addConstructorArgValue(annotation.getString("database"))
            .getBeanDefinition());
  }
}
